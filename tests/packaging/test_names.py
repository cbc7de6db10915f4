"""What a name says: that a value was found, given or is one among others is said of every value."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import jaxtyping_core
import jaxtyping_core_mypy

PACKAGES = [Path(package.__path__[0]) for package in (jaxtyping_core, jaxtyping_core_mypy)]
NO_NAMES = {"found", "given", "one"}


def bound(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every name that a module binds, of whatever kind, and its line."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name
            case ast.arg(arg=name) | ast.alias(asname=str(name)):
                yield node.lineno, name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name
            case (
                ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name))
            ):
                yield node.lineno, name
            case ast.ExceptHandler(name=str(name)):
                yield node.lineno, name


@pytest.mark.one_python
def test_names_say_what_they_hold() -> None:
    files = [file for package in PACKAGES for file in package.rglob("*.py")]
    assert len(files) > 300
    assert not [
        f"{file}:{line}: {name}"
        for file in files
        for line, name in bound(ast.parse(file.read_text("utf-8")))
        if name in NO_NAMES
    ]


@pytest.mark.parametrize(
    "text",
    [
        "one = 1",
        "self.one = 1",
        "def one(): ...",
        "class one: ...",
        "def f(*, one): ...",
        "lambda one: 1",
        "[1 for one in x]",
        "(one := 1)",
        "import x as one",
        "with x as one: ...",
        "try: ...\nexcept E as one: ...",
        "match x:\n case {'a': [*one]}: ...",
        "match x:\n case {**one}: ...",
        "match x:\n case C(a=one): ...",
    ],
)
def test_all_bindings_are_seen(text: str) -> None:
    assert "one" in {name for _, name in bound(ast.parse(text))}
