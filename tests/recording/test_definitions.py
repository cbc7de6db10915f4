"""The functions of a file are those that Python compiles of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from types import CodeType

import pytest

import jaxtyping_core
from jaxtyping_core.recording.definitions import definitions
from jaxtyping_core.recording.sources import is_function, parameters, source

SOURCE = """
import functools
class A:
    async def f(self, a, /, b, *c, d=lambda x: x, **e):
        self.x, (self.y, *self.z) = a
        self.n += 1
        del self.gone
        b.other = 1
        def inner(): self.nested = 1
        return [lambda: 0 for _ in self.for_all]
    @property
    @functools.cache
    def p(self):
        class B:
            def g(): pass
        for self.loop in (): pass
        with a as self.opened: pass
    @staticmethod
    def s(): self.x = 1
"""


def codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from codes(constant)


@pytest.mark.parametrize(
    "folder", [Path(jaxtyping_core.__file__).parent, Path(__file__).parents[1] / "programs"]
)
def test_they_are_those_of_code(folder: Path) -> None:
    functions = 0
    for file in folder.rglob("*.py"):
        if (module := source(file)) is None:
            continue
        compiled = list(filter(is_function, codes(compile(file.read_bytes(), str(file), "exec"))))
        for code in compiled:
            definition = module.definition(code)
            assert definition is not None, (file, code)
            # In Python 3.11 a comprehension is a function of its own, which is in the names of those inside it.
            assert "comp>" in code.co_qualname or definition.function.qualname == code.co_qualname
            assert definition.function.line >= code.co_firstlineno
            places = {parameters(code)[place] for _, place in definition.parameters}
            assert places == set(parameters(code))
            assert all(parameters(code)[place].endswith(name) for name, place in definition.parameters)
        reached = {module.definition(code) for code in compiled}
        assert {definition.function for definition in reached if definition} == set(module.functions)
        functions += len(compiled)
    assert functions > 400


def test_what_methods_set() -> None:
    by_name = {definition.function.qualname: definition for definition in definitions(ast.parse(SOURCE))}
    assert list(by_name) == [
        "A.f",
        "A.<lambda>",
        "A.f.<locals>.inner",
        "A.f.<locals>.<lambda>",
        "A.p",
        "A.p.<locals>.B.g",
        "A.s",
    ]
    assert by_name["A.f"].stores == {"x", "y", "z", "n"}
    assert by_name["A.p"].stores == {"loop", "opened"}
    assert by_name["A.p"].function.line == by_name["A.p"].first + 2
    assert {name: definition.owner for name, definition in by_name.items() if definition.owner} == {
        "A.f": "A",
        "A.p": "A",
    }
    assert [name for name, _ in by_name["A.f"].parameters] == ["self", "a", "b", "c", "d", "e"]


def test_names_that_are_bound_once() -> None:
    function = """
def f(a, *b):
    once, (two, *three) = a
    a = 1
    twice = 1
    if twice: twice = 2
    count = 0
    count += 1
    for i, _ in b:
        if (looped := i): import os.path as path
    gone = 1
    del gone
    while a: looped_too = 1
    with b as opened: [hidden for hidden in b]
    def inner():
        nonlocal shared
        shared = own = 1
    shared = 1
    inner = 2
    try: pass
    except E as error: error = 1
    if (walrus := 1): annotated: int = 1
    bare: int
"""
    (definition, _) = definitions(ast.parse(function))
    lines = function.splitlines()
    names = [place.name for place in definition.places]
    assert names == ["once", "two", "three", "opened", "walrus", "annotated"]
    assert all(lines[place.line - 1][place.column :].startswith(place.name) for place in definition.places)
