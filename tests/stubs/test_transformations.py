"""What type checkers make of jit, grad, vmap, scan and their like, and whether it is true."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import runpy
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import jax
import numpy as np
import pytest
import typing_extensions

from checkers import CHECKERS, run
from jaxtyping_core_stubs.transformations import FUNCTIONS
from jaxtyping_core_stubs.transformations.rows import Function

FOLDER = Path(__file__).parents[1] / "programs"
PROGRAMS = {
    name: (FOLDER / name).read_text(encoding="utf-8").splitlines()
    for name in ("transformations.py", "control_flow.py")
}
CLAIM = re.compile(r"^ +reveal_type\(.*\)  # (?P<type>.*)$")

#: The type of each line that asks for one.
CLAIMS = {
    (name, number): match["type"]
    for name, lines in PROGRAMS.items()
    for number, line in enumerate(lines, 1)
    if (match := CLAIM.match(line))
}

#: How checkers spell types in ways of their own.
SPELLINGS = (
    (r"tuple\[(?:[^\[\]]|\[[^\[\]]*\])*, fallback=[^\]]*?(\w+)\]", r"\1"),  # a named tuple
    (r"\b(?:\w+\.)+(?=\w)", ""),
    (r"\b(?:Unknown|Unk)\b", "Any"),
    (r"Array(?!\[)\b", "Array[Any, Any]"),
    (r"Array\[(\w+)\]", r"Array[\1, Any]"),
    (r"ndarray(?!\[)\b", "ndarray[Any, Any]"),
    (r"(?:Literal)?\[(\d+)\]\?", r"[\1]"),
)


def spelled(text: str) -> str:
    """The type as the program spells it."""
    for pattern, replacement in SPELLINGS:
        text = re.sub(pattern, replacement, text)
    return text


def is_right(actual: ast.expr, claim: ast.expr) -> bool:
    """Whether the type is the claimed one, has Any in place of a part of it, or is one of such types."""
    if isinstance(actual, ast.BinOp) and not isinstance(claim, ast.BinOp):
        return is_right(actual.left, claim) and is_right(actual.right, claim)
    if ast.unparse(actual) in ("Any", "tuple[Any, ...]") or ast.dump(actual) == ast.dump(claim):
        return True
    if not (isinstance(actual, ast.Subscript) and isinstance(claim, ast.Subscript)):
        return False
    parts, wanted = _parts(actual), _parts(claim)
    return (
        ast.dump(actual.value) == ast.dump(claim.value)
        and len(parts) == len(wanted)
        and all(map(is_right, parts, wanted))
    )


def _parts(node: ast.Subscript) -> list[ast.expr]:
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]


def parse(text: str) -> ast.expr:
    """The type as an expression."""
    return ast.parse(text, mode="eval").body


@pytest.mark.one_python
@pytest.mark.parametrize("checker", CHECKERS)
def test_types(checker: str, tmp_path: Path) -> None:
    # Beside no configuration: some checkers would take the repository's, which is for its own code.
    programs = [Path(shutil.copy(FOLDER / name, tmp_path)) for name in PROGRAMS]
    report = run(checker, programs, tmp_path)
    revealed = {(file.name, line): spelled(text) for (file, line), text in report.revealed.items()}
    assert set(revealed) == set(CLAIMS)
    wrong = {
        line: text
        for line, text in revealed.items()
        if not is_right(parse(text), parse(spelled(CLAIMS[line])))
    }
    assert wrong == {}
    marks = ("# error",) if checker == "zuban" else ("# error", "# error, but not in zuban")
    for program in programs:
        lines = enumerate(PROGRAMS[program.name], 1)
        expected = [n for n, line in lines if line.endswith(marks)]
        reported = report.error_lines(program)
        # Without its plugin mypy is told little, and finds some of the errors.
        assert set(reported) <= set(expected) if checker == "mypy" else reported == expected
    exact = sum(spelled(CLAIMS[line]) == text for line, text in revealed.items())
    assert exact / len(CLAIMS) >= EXACT[checker], f"{exact} of {len(CLAIMS)}"


#: The share of types that each checker knows to the last part. The stubs leave open what programs rarely use, for editors
#: to show few signatures: gradients by other arguments than the first, Jacobians, what a loop stacks besides arrays, and
#: trees that are lists or nested.
EXACT = {"pyright": 0.88, "mypy": 0.3, "pyrefly": 0.63, "ty": 0.79, "zuban": 0.55}


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.name)
def test_signatures_are_few_and_the_first_one_is_that_of_jax(function: Function) -> None:
    assert len(function.rows) <= MOST_SIGNATURES
    module, _, name = function.public[0].rpartition(".")
    implementation = getattr(importlib.import_module(module), name, None)
    if implementation is None:  # this JAX does not have it
        return
    shown = cast("ast.FunctionDef", ast.parse(function.rows[0].define(name, implementation)).body[0])
    names = [arg.arg for arg in ast.walk(shown.args) if isinstance(arg, ast.arg)]
    assert sorted(names) == sorted(inspect.signature(implementation).parameters)


#: How many signatures of a function a reader can bear.
MOST_SIGNATURES = 6


def test_types_are_true(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the programs: every value is of the type that is claimed for it."""
    values: dict[tuple[str, int], Any] = {}

    def record(value: object) -> object:
        caller = sys._getframe(1)
        values[Path(caller.f_code.co_filename).name, caller.f_lineno] = value
        return value

    monkeypatch.setattr(typing_extensions, "reveal_type", record)
    for name in PROGRAMS:
        runpy.run_path(str(FOLDER / name))["main"]()
    assert set(values) == set(CLAIMS)
    assert {n: value for n, value in values.items() if not is_of(value, parse(CLAIMS[n]))} == {}


def is_of(value: Any, claim: ast.expr) -> bool:
    """Whether the value is of the type, as far as it says something."""
    match claim:
        case ast.Name(id="Any"):
            return True
        case ast.Constant(value=None):
            return value is None
        case ast.Name(id=name):
            return any(cls.__name__ == name for cls in type(value).__mro__)
        case ast.Subscript(value=ast.Name(id=name)):
            return PARTS[name](value, _parts(claim))
    raise AssertionError(ast.unparse(claim))


def _is_array(value: Any, parts: list[ast.expr]) -> bool:
    dtype, shape = map(ast.unparse, parts)
    if not isinstance(value, jax.Array) or dtype not in ("Any", value.dtype.name):
        return False
    dims = [] if isinstance(parts[1], ast.Name) else _parts(cast("ast.Subscript", parts[1]))
    known = [ast.unparse(dim) for dim in dims]
    return shape == "Any" or known == [
        "Any" if text == "Any" else f"Literal[{dim}]" for text, dim in zip(known, value.shape, strict=True)
    ]


def _is_tuple(value: Any, parts: list[ast.expr]) -> bool:
    if ast.unparse(parts[-1]) == "...":
        return isinstance(value, tuple) and all(is_of(part, parts[0]) for part in value)
    return isinstance(value, tuple) and len(value) == len(parts) and all(map(is_of, value, parts))


#: What the parts of a type say of a value.
PARTS: dict[str, Callable[[Any, list[ast.expr]], bool]] = {
    "Array": _is_array,
    "ndarray": lambda value, parts: isinstance(value, np.ndarray),
    "tuple": _is_tuple,
    "list": lambda value, parts: isinstance(value, list) and all(is_of(part, parts[0]) for part in value),
    "dict": lambda value, parts: (
        isinstance(value, dict)
        and all(is_of(key, parts[0]) and is_of(part, parts[1]) for key, part in value.items())
    ),
}
