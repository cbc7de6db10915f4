"""docs/tutorial.md, followed to the letter: its program is saved, its diffs are made, its commands are run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.one_python  # the figures and the line numbers are those of one JAX

PAGE = (Path(__file__).parents[2] / "docs" / "tutorial.md").read_text(encoding="utf-8")
BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)


def run(folder: Path, command: str) -> str:
    program, *arguments = command.split()
    if program == "cat":
        return (folder / arguments[0]).read_text(encoding="utf-8")
    assert program == "jaxtyping-core"
    done = subprocess.run(
        [sys.executable, "-P", "-m", "jaxtyping_core", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.stdout


def edit(file: Path, diff: str) -> None:
    """Make the one change of a diff."""
    old, new = ("".join(f"{line[1:]}\n" for line in diff.splitlines() if line[0] != sign) for sign in "+-")
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")


def fits(shown: str, printed: str) -> bool:
    """Whether a page shows what was printed; a line `...` stands for any lines."""
    lines = (
        r"(?:.*\n)*?" if line == "...\n" else re.escape(line) for line in shown.splitlines(keepends=True)
    )
    return re.fullmatch("".join(lines), printed) is not None


def test_the_tutorial_is_what_happens(tmp_path: Path) -> None:
    commands = 0
    for language, title, text in BLOCK.findall(PAGE):
        if language == "python":
            (tmp_path / title).write_text(text, encoding="utf-8")
        elif language == "diff":
            edit(tmp_path / title, text)
        elif language == "console":
            _, *parts = re.split(r"^\$ (.*)\n", text, flags=re.MULTILINE)
            for command, shown in zip(parts[::2], parts[1::2], strict=True):
                printed = run(tmp_path, command)
                assert fits(shown, printed), f"{command}\n{printed}"
                commands += 1
    assert commands >= 6
