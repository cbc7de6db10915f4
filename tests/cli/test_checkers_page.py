"""What the page on type checkers says is true: every block of configuration in it, under the checker it is for."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import checkers
import mypy_cache
from checkers import find
from docs import pages
from jaxtyping_core.cli.stubs import SEEN_BY

pytestmark = pytest.mark.one_python

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "how-to" / "checkers.md"
#: One of the two assignments is an error, by the width of the default dtype.
PROGRAM = """\
from typing import Any
from jax import Array
from jax._src.numpy.scalar_types import float32, float64, weak_float
def f(x: Array[weak_float, Any]) -> None:
    narrow: Array[float32, Any] = x
    wide: Array[float64, Any] = x
"""
NARROW, WIDE = 5, 6

COMMANDS = {
    "mypy": ["--cache-dir={cache}", "--python-executable={python}"],
    "pyright": ["--pythonpath={python}"],
    "basedpyright": ["--level=error", "--pythonpath={python}"],
    "pyrefly": ["check", "--output-format=min-text", "--python-interpreter-path={python}"],
    "ty": ["check", "--output-format=concise", "--python={python}"],
    "zuban": ["check", "--python-executable={python}"],
}


class Block(NamedTuple):
    """A block of configuration: for which checkers, the file it belongs in, and its text."""

    checkers: tuple[str, ...]
    file: str
    text: str

    @property
    def error(self) -> int:
        """The line on which a checker with this configuration sees an error."""
        return NARROW if re.search("x64|typings", self.text, re.IGNORECASE) else WIDE


def blocks(page: str) -> Iterator[Block]:
    for section in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        named = tuple(name for name in re.findall(r"\w+", section.partition("\n")[0]) if name in COMMANDS)
        for block in pages.blocks(section):
            if block.language in ("toml", "ini", "json") and block.title:
                only = [name for name in named if f"[tool.{name}" in block.text]
                yield Block(tuple(only) or named, block.title, block.text)


BLOCKS = [(checker, block) for block in blocks(PAGE.read_text()) for checker in block.checkers]


def error_lines(checker: str, folder: Path, python: str = sys.executable) -> set[int]:
    """The lines of the program that `checker` sees an error on, run in `folder` as users run it."""
    command = find(checker) or pytest.skip(f"{checker} is not installed")
    (folder / "program.py").write_text(PROGRAM)
    if not list(folder.glob("*.toml")):
        (folder / "pyrefly.toml").touch()  # or pyrefly reports only some kinds of errors
    cache = cache_of_mypy(folder, python) if checker == "mypy" else os.devnull
    options = [option.format(python=python, cache=cache) for option in COMMANDS[checker]]
    done = subprocess.run(
        [*command, *options, "program.py"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    numbers = re.findall(r"ERROR program\.py:(\d+)|program\.py:(\d+)\S* (?:- )?error", done.stdout)
    return {int(line) for pair in numbers for line in pair if line}


def cache_of_mypy(folder: Path, python: str) -> str | Path:
    """A cache in which it has read the stubs that are installed here, under the settings that other tests have, too."""
    if python != sys.executable or (folder / "typings").exists():
        return os.devnull
    x64 = any(
        "JAX_ENABLE_X64" in file.read_text() for file in folder.iterdir() if file.suffix in (".ini", ".toml")
    )
    switches = ["--always-true=JAX_ENABLE_X64"] if x64 else []
    return mypy_cache.begin(folder / "cache", *switches, plugin=False)


@pytest.fixture(scope="module")
def typings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Stubs of 64 bits as the command writes them, without the minutes that it takes."""
    folder = tmp_path_factory.mktemp("project") / "typings"
    shutil.copytree(ROOT / "stubs" / "jax-stubs", folder / "jax-stubs")
    defaults = folder / "jax-stubs" / "_defaults.pyi"
    text, count = re.subn(r"float32(?= as DefaultFloat)", "float64", defaults.read_text())
    assert count
    defaults.write_text(text)
    return folder


def test_every_block_is_tested() -> None:
    page = PAGE.read_text()
    assert len(re.findall(r"^ *```(?:toml|ini|json|yaml)", page, re.MULTILINE)) == len(list(blocks(page)))
    assert {checker for checker, _ in BLOCKS} == set(COMMANDS)


@pytest.mark.parametrize(
    ("checker", "block"), BLOCKS, ids=lambda value: value if isinstance(value, str) else value.file
)
def test_block(typings: Path, tmp_path: Path, checker: str, block: Block) -> None:
    shutil.copytree(typings, tmp_path / "typings") if "typings" in block.text else None
    (tmp_path / block.file).write_text(block.text)
    assert error_lines(checker, tmp_path) == {block.error}


@pytest.mark.parametrize("checker", COMMANDS)
def test_without_configuration(tmp_path: Path, checker: str) -> None:
    assert error_lines(checker, tmp_path) == {WIDE}


@pytest.fixture(scope="module")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with JAX and without us."""
    return checkers.stock(tmp_path_factory.mktemp("stock"))


@pytest.mark.parametrize("checker", ["pyright", "basedpyright"])
def test_pyright_sees_typings_where_we_are_not_installed(
    typings: Path, stock: Path, tmp_path: Path, checker: str
) -> None:
    shutil.copytree(typings, tmp_path / "typings")
    assert error_lines(checker, tmp_path, str(stock)) == {NARROW}


@pytest.mark.parametrize("checker", COMMANDS)
def test_stubs_in_site_packages_are_seen_without_a_setting(
    typings: Path, stock: Path, tmp_path: Path, checker: str
) -> None:
    (site,) = stock.parents[1].glob("lib/*/site-packages")
    package = Path(shutil.copytree(typings / "jax-stubs", site / "jax-stubs"))
    try:
        assert error_lines(checker, tmp_path, str(stock)) == {NARROW}
    finally:
        shutil.rmtree(package)


def test_pyrefly_sees_a_path_of_the_command_line(
    typings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(COMMANDS, "pyrefly", [*COMMANDS["pyrefly"], f"--search-path={typings}"])
    assert error_lines("pyrefly", tmp_path) == {NARROW}


def test_what_the_command_says_is_on_the_page() -> None:
    page = PAGE.read_text()
    for setting in ("search-path", "extra-paths", "mypy_path", "stubPath"):
        assert setting in page and any(setting in how for how in SEEN_BY.values())
