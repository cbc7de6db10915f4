"""What a name says: that a value was found, given or is one among others is said of every value."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import jaxtyping_core
import jaxtyping_core_mypy

ROOT = Path(__file__).parents[2]
PACKAGES = [Path(package.__path__[0]) for package in (jaxtyping_core, jaxtyping_core_mypy)]
FOLDERS = [
    *PACKAGES,
    *(ROOT / name for name in ("benchmarks", "docs", "editors", "examples", "stubs", "tests")),
]
#: Programs that stand for users' code, and packages of other people.
OTHERS = (
    *("annotated/programs", "annotating/programs", "evaluation/declared", "users/programs"),
    *(
        "hostile/programs",
        "programs/autodidax",
        "programs/hostile",
        "programs/plain",
        "verifying/programs",
        "node_modules",
    ),
)
NO_NAMES = {"found", "given", "one"}
#: Half of the files have none of them in any place: those need not be parsed.
HAS_ONE = re.compile(rf"\b({'|'.join(sorted(NO_NAMES))})\b")


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
    files = [
        file
        for folder in FOLDERS
        for file in folder.rglob("*.py")
        if not any(f"/{other}/" in file.as_posix() for other in OTHERS)
    ]
    assert len(files) > 600
    assert not [
        f"{file}:{line}: {name}"
        for file in files
        if HAS_ONE.search(text := file.read_text("utf-8"))
        for line, name in bound(ast.parse(text))
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
