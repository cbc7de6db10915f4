"""The names of mypy's that begin with an underscore: one file has them, and mypy still has them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from mypy.errors import Errors
from mypy.nodes import Block, ClassDef, SymbolTable, TypeInfo
from mypy.options import Options
from mypy.types import Instance

import jaxtyping_core_mypy
from jaxtyping_core_mypy import mypy_internals
from jaxtyping_core_mypy.mypy_internals import HoldingBack, take_back

pytestmark = pytest.mark.one_python
FILES = sorted(Path(jaxtyping_core_mypy.__path__[0]).rglob("*.py"))
#: Python's own methods of named tuples.
OF_PYTHON = {"_replace", "_asdict", "_fields"}

#: The methods by which texts are judged.
OF_TEXTS = {"match", "fullmatch", "search", "findall", "finditer", "startswith", "endswith", "count", "find"}


def private(tree: ast.Module) -> list[str]:
    """The attributes that begin with one underscore, of objects other than one's own."""
    return [
        f"{node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr.startswith("_")
        and not node.attr.startswith("__")
        and node.attr not in OF_PYTHON
        and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))
    ]


def test_an_attribute_is_seen() -> None:
    assert private(ast.parse("errors._watchers")) == ["1: errors._watchers"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_other_files_have_none(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert not private(ast.parse(text))
    if file.stem != "mypy_internals":
        assert mypy_internals.WATCHERS not in text
        assert mypy_internals.PROMOTES_TO not in text


def of_words(tree: ast.Module) -> list[str]:
    """Where the words of a message of mypy's are compared or looked through: another version has others."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    asked = [node for node in calls if isinstance(node.func, ast.Attribute) and node.func.attr in OF_TEXTS]
    return [ast.unparse(node) for node in asked if "info.message" in ast.unparse(node)]


def test_words_are_seen() -> None:
    assert of_words(ast.parse("WORDS.match(info.message); info.message.startswith('x'); text.match(other)"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_nothing_is_judged_by_words(file: Path) -> None:
    assert not of_words(ast.parse(file.read_text(encoding="utf-8")))


def errors() -> Errors:
    of_mypy = Errors(Options())
    of_mypy.set_file("file.py", "file", Options())
    return of_mypy


def test_what_is_wrong_is_held_back_and_heard_where_it_must_be() -> None:
    of_mypy, held = errors(), list[str]()

    def is_wrong(file: str, info: object) -> bool:
        held.append(file)
        return True

    holding = HoldingBack(is_wrong)
    holding.begin(of_mypy)
    holding.begin(of_mypy)
    of_mypy.report(1, 0, "wrong")
    assert held == ["file.py"]
    assert not of_mypy.is_errors()
    with mypy_internals.heard(of_mypy):
        of_mypy.report(2, 0, "right")
    assert [info.message for info in of_mypy.error_info_map["file.py"]] == ["right"]
    of_mypy.report(3, 0, "wrong")
    assert held == ["file.py"] * 2
    take_back(of_mypy, lambda info: info.message == "right")
    assert not of_mypy.is_errors()


def test_a_class_is_taken_for_its_base_without_being_below_it() -> None:
    base, weak = (TypeInfo(SymbolTable(), ClassDef(name, Block([])), "module") for name in ("Base", "Weak"))
    base.mro, weak.mro = [base], [weak, base]
    weak.bases = [Instance(base, [])]
    mypy_internals.promote(weak)
    assert weak.mro == [weak]
    assert getattr(weak, mypy_internals.PROMOTES_TO) == [Instance(base, [])]
