"""The whole programs of which the claims are frozen, in groups that one command is given at once."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from docs.pages import SITE, blocks
from docs.pages import name as name_of_page

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
#: Groups of programs of one file each, by the folder that they are in.
FOLDERS = {
    "users": TESTS / "users" / "programs",
    "annotated": TESTS / "annotated" / "programs",
    "plain": TESTS / "programs" / "plain",
    "autodidax": TESTS / "programs" / "autodidax",
    "examples": ROOT / "examples",
}
#: Programs of which parts are wrong, so that an error more may be right.
WRONG = frozenset({"mistaken", "docs"})


class Program(NamedTuple):
    """A program: the group that it is in, its name there, and its text."""

    group: str
    name: str
    text: str

    @property
    def is_right(self) -> bool:
        """Whether it runs to its end, so that an error in it is a false one."""
        return self.group not in WRONG and not self.name.endswith("_mistakes")

    def put_into(self, folder: Path) -> Path:
        """Write it where only programs of its group are."""
        file = folder / f"{self.name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(self.text, encoding="utf-8")
        return file


def programs() -> list[Program]:
    """All programs, in groups."""
    in_folders = [
        Program(group, file.stem, file.read_text(encoding="utf-8"))
        for group, folder in FOLDERS.items()
        for file in sorted(folder.glob("*.py"))
    ]
    return [*in_folders, *_mistaken(), *_of_docs()]


def _mistaken() -> Iterator[Program]:
    """The annotated programs, each with its mistake."""
    rows = tomllib.loads((TESTS / "annotated" / "mistakes.toml").read_text(encoding="utf-8"))
    for name, row in rows.items():
        text = (FOLDERS["annotated"] / f"{name}.py").read_text(encoding="utf-8")
        yield Program("mistaken", name, text.replace(row["old"], row["new"]))


def _of_docs() -> Iterator[Program]:
    """The programs of the documentation that have a name, each by its page and its line."""
    for page in SITE:
        for block in blocks(page.read_text(encoding="utf-8")):
            if block.language == "python" and block.title and "/" not in block.title:
                stem = Path(block.title).stem
                where = name_of_page(page).removesuffix(".md").removeprefix("docs/").replace("/", "_")
                yield Program("docs", f"{where}_{block.line}_{stem}", block.text)


def put(group: list[Program], folder: Path) -> dict[Path, Program]:
    """Write the programs of a group into a folder, with what stands beside them: the files and packages that they read."""
    for name in {program.group for program in group} & FOLDERS.keys():
        for each in FOLDERS[name].iterdir():
            if each.is_dir() and each.name != "__pycache__":
                shutil.copytree(each, folder / each.name, dirs_exist_ok=True)
            elif each.suffix not in (".py", ".ini", ""):
                shutil.copy(each, folder)
    return {program.put_into(folder): program for program in group}
