"""The public programs of public_programs.toml, read from checkouts of their repositories."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

Edits = list[list[str]]


class Program(NamedTuple):
    """A program: its text, and how a run with other sizes differs."""

    text: str
    arguments: list[str]
    other: Edits

    def otherwise(self, text: str) -> str:
        """The text, annotated or not, with other sizes."""
        return edited(text, self.other)


def public(folder: Path) -> Iterator[tuple[str, Program]]:
    """The programs, by name, of checkouts in `folder`: jax, flax, optax, equinox."""
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())
    for name, row in table["programs"].items():
        file = folder / row["file"]
        if not file.exists():
            sys.exit(f"{file} is not there; check {row['file'].partition('/')[0]} out in {folder}")
        text = file.read_text()
        yield (
            name,
            Program(
                edited(scripts(text) if file.suffix == ".ipynb" else text, row.get("edits", [])),
                [],
                row["other"],
            ),
        )


def scripts(notebook: str) -> str:
    """The code cells of a notebook, without what is no Python."""
    cells = ["".join(cell["source"]) for cell in json.loads(notebook)["cells"] if cell["cell_type"] == "code"]
    return "\n\n".join("\n".join(filter(_is_python, cell.splitlines())) for cell in cells) + "\n"


def _is_python(line: str) -> bool:
    return not line.lstrip().startswith(("!", "%"))


def edited(text: str, edits: Iterable[list[str]]) -> str:
    for old, new in edits:
        name, _, value = old.partition("=")
        # What was the default of a parameter may have an annotation by now.
        annotated = re.compile(rf"\b({re.escape(name)}: [^=]+ = ){re.escape(value)}")
        if old not in text and not annotated.search(text):
            sys.exit(f"{old!r} is not in the program; is it another commit?")
        changed = new.partition("=")[2].replace("\\", r"\\")
        text = annotated.sub(rf"\g<1>{changed}", text.replace(old, new))
    return text
