"""What the plugin says of an expression against what JAX computes: the types are exact or open, never wrong.

The same expressions are checked twice: with literal sizes, and with type variables for them, whose symbolic
answers are then compared at the sizes that the arrays have.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import sweeps
from conformance.truth import announced_refusals
from conformance.verdict import parse
from harness import run_mypy
from jaxtyping_core.dtypes import ABSTRACT, DTYPES, ancestors

SIZES = {"B": 3, "D": 4, "N": 5}
#: The arrays that expressions are about: name, dtype and dims.
ARRAYS: dict[str, tuple[str, tuple[str, ...]]] = {
    "x": ("float32", ("B", "D")),
    "y": ("float32", ("B", "D")),
    "t": ("float32", ("N", "B", "D")),
    "v": ("float32", ("D",)),
    "s": ("float32", ()),
    "i": ("int32", ("B", "D")),
    "j": ("int32", ("B", "D")),
    "u8": ("uint8", ("B", "D")),
    "h": ("float16", ("B", "D")),
    "b": ("bfloat16", ("B", "D")),
    "f8": ("float8_e4m3fn", ("B", "D")),
    "m": ("bool", ("B", "D")),
    "c": ("complex64", ("B",)),
}
#: Arrays whose sizes are literal in both programs: indices, and a square matrix to invert.
FIXED = {"i3": ("int32", (3,)), "sq": ("float32", (3, 3))}

#: Python scalars, whose values the program does not show.
SCALARS = {"n": 2, "r": 1.5, "flag": True}

#: The shares of results that are known exactly; the rest is mostly sizes that nobody can know.
EXACT = {"literal": 0.91, "symbolic": 0.89}
#: The shares of the refused calls that are reported. JAX accepts three of them for other sizes.
REPORTED = {"literal": 1.0, "symbolic": 0.9}

DATA = Path(__file__).parent / "data" / "expressions.txt"
#: How an error begins that is of what a function declares: a body that takes one size alone is not as declared.
OF_BODY = "JAX refuses the body of"


class Case(NamedTuple):
    expression: str
    any_sizes: bool  # whether JAX accepts it for every size


def read_cases() -> list[Case]:
    lines = [line for line in DATA.read_text().splitlines() if line and not line.startswith("#")]
    return [Case(line.removesuffix("  # sizes"), not line.endswith("# sizes")) for line in lines]


CASES = sweeps.some("calls", read_cases())


#: How many expressions a module has: a program is evaluated for some seconds, and each of its expressions several times.
OF_A_MODULE = 60


def program(symbolic: bool, cases: Sequence[Case]) -> str:
    """A module with one revealed expression a line, from line 1 of the function's body on."""

    def dim(d: str | int) -> str:
        return d if symbolic and isinstance(d, str) else f"Literal[{SIZES.get(str(d), d)}]"

    def annotation(dtype: str, dims: tuple[str | int, ...]) -> str:
        shape = ", ".join(map(dim, dims)) or "()"
        return f"Array[{DTYPES[dtype].class_name}, tuple[{shape}]]"

    parameters = ", ".join(f"{name}: {annotation(*spec)}" for name, spec in {**ARRAYS, **FIXED}.items())
    head = (
        "from typing import Literal, TypeVar; import jax; import jax.numpy as jnp; import numpy as np; "
        "from jaxtyping_core.typing import *; from jaxtyping_core.typing import Array; "
        "B = TypeVar('B'); D = TypeVar('D'); N = TypeVar('N')\n"
        f"def f(key: jax.Array, n: int, r: float, flag: bool, {parameters}) -> None:\n"
    )
    return head + "".join(f"    reveal_type({case.expression})\n" for case in cases)


@pytest.fixture(scope="module")
def messages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[list[str]]]:
    """What mypy says of each expression, for both kinds of sizes."""
    parts = {
        f"part{start}": CASES[start : start + OF_A_MODULE] for start in range(0, len(CASES), OF_A_MODULE)
    }
    modules = {
        f"{sizes}_{name}": program(sizes == "symbolic", cases)
        for sizes in EXACT
        for name, cases in parts.items()
    }
    answers = run_mypy(modules, tmp_path_factory.mktemp("jax"))
    return {
        sizes: [
            answers[f"{sizes}_{name}"][line]
            for name, cases in parts.items()
            for line in range(3, 3 + len(cases))
        ]
        for sizes in EXACT
    }


@pytest.fixture(scope="module")
def truths() -> list[Any]:
    """What JAX computes for each expression: a result, or the exception."""

    def size(d: str | int) -> int:
        return SIZES[d] if isinstance(d, str) else d

    scope: dict[str, Any] = {"jax": jax, "jnp": jnp, "np": np, "key": jax.random.key(0), **SCALARS}
    for name, (dtype, dims) in {**ARRAYS, **FIXED}.items():
        scope[name] = jnp.ones(tuple(map(size, dims)), dtype)
    scope["i3"] = jnp.array([0, 1, 2])
    scope["sq"] = jnp.eye(3) * 2
    return [run(case.expression, scope) for case in CASES]


def run(expression: str, scope: dict[str, Any]) -> Any:
    try:
        with announced_refusals():
            return eval(expression, dict(scope))
    except Exception as error:  # whatever JAX raises is its answer
        return error


def agrees(revealed: ast.expr, value: Any) -> bool | None:
    """Whether a revealed type is right about `value`: True if exact, None if it leaves something open."""
    if isinstance(revealed, ast.Name):
        return agrees_name(revealed.id, value)
    if not isinstance(revealed, ast.Subscript) or not isinstance(revealed.value, ast.Name):
        return None
    inner = revealed.slice
    items = inner.elts if isinstance(inner, ast.Tuple) else [inner]
    match revealed.value.id:
        case "Array":
            if not isinstance(value, jax.Array):
                return False
            return every([agrees_dtype(items[0], value), agrees_shape(items[1], value.shape)])
        case "tuple" if items and isinstance(items[-1], ast.Constant):  # tuple[T, ...]
            return every([agrees(items[0], v) for v in value]) if isinstance(value, tuple) else False
        case "tuple":
            # Some functions return lists where JAX's own annotations say tuple.
            if not isinstance(value, tuple | list) or len(value) != len(items):
                return False
            return every([agrees(item, v) for item, v in zip(items, value, strict=True)])
        case "list":  # the lengths are not in the type
            return every([agrees(items[0], v) for v in value]) if isinstance(value, list) else False
        case "Literal":
            return size_of(revealed) == value
    return None


def agrees_name(name: str, value: Any) -> bool | None:
    python = {"int": int, "float": float, "bool": bool, "str": str}
    return isinstance(value, python[name]) if name in python else None


def agrees_dtype(revealed: ast.expr, value: jax.Array) -> bool | None:
    if not isinstance(revealed, ast.Name) or revealed.id == "Any":
        return None
    kind = {"i": "weak_int", "f": "weak_float", "c": "weak_complex"}
    row = DTYPES[value.dtype.name]
    # JAX marks some bool arrays weak; promotion knows no such type.
    actual = kind.get(row.kind, row.class_name) if value.weak_type else row.class_name
    if revealed.id in ABSTRACT:
        return None if revealed.id in ancestors(row.name) else False
    return revealed.id == actual


def agrees_shape(revealed: ast.expr, shape: tuple[int, ...]) -> bool | None:
    if not isinstance(revealed, ast.Subscript):
        return None
    inner = revealed.slice
    dims = inner.elts if isinstance(inner, ast.Tuple) else [inner]
    if len(dims) != len(shape):
        return False
    known = [size_of(dim) for dim in dims]
    return every([None if k is None else k == n for k, n in zip(known, shape, strict=True)])


def size_of(dim: ast.expr) -> int | None:
    """The size that a dim type says: a literal, a type variable, or symbolic arithmetic over those."""
    if isinstance(dim, ast.Name):
        return SIZES.get(dim.id)
    assert isinstance(dim, ast.Subscript), ast.dump(dim)
    assert isinstance(dim.slice, ast.Constant), ast.dump(dim)
    value = dim.slice.value
    names = {**SIZES, "floordiv": lambda a, b: a // b, "mod": lambda a, b: a % b}
    return value if isinstance(value, int) else eval(value, names)


def every(answers: list[bool | None]) -> bool | None:
    if False in answers:
        return False
    return None if None in answers else True


def revealed_type(texts: list[str]) -> ast.expr | None:
    notes = [text for text in texts if text.startswith("N: Revealed type is")]
    if not notes:
        return None
    return parse(notes[0].split('"')[1])


def errors(texts: list[str]) -> list[str]:
    return [text for text in texts if text.startswith("E: ") and "[array-" in text]


@pytest.mark.parametrize("module", ["literal", "symbolic"])
def test_no_type_is_wrong(module: str, messages: dict[str, list[list[str]]], truths: list[Any]) -> None:
    wrong, answers = [], []
    for case, truth, texts in zip(CASES, truths, messages[module], strict=True):
        revealed = revealed_type(texts)
        if isinstance(truth, Exception) or (module == "symbolic" and not case.any_sizes):
            continue
        answer = None if revealed is None else agrees(revealed, truth)
        answers.append(answer)
        if answer is False:
            shown = getattr(truth, "aval", truth)
            wrong.append(f"{case.expression}: {texts}, but JAX gives {shown}")
    assert not wrong, "\n".join(wrong)
    # A floor, so that the plugin cannot pass by knowing nothing.
    assert np.mean([answer is True for answer in answers]) >= sweeps.floor(
        "calls", EXACT[module], len(answers)
    )


@pytest.mark.parametrize("module", ["literal", "symbolic"])
def test_no_accepted_call_is_an_error(
    module: str, messages: dict[str, list[list[str]]], truths: list[Any]
) -> None:
    false = [
        f"{case.expression}: {errors(texts)}"
        for case, truth, texts in zip(CASES, truths, messages[module], strict=True)
        if errors(texts)
        and not isinstance(truth, Exception)
        and (module == "literal" or case.any_sizes)
        and not any(OF_BODY in error for error in errors(texts))
    ]
    assert not false, "\n".join(false)


@pytest.mark.parametrize("module", ["literal", "symbolic"])
def test_refused_calls_are_reported(
    module: str, messages: dict[str, list[list[str]]], truths: list[Any]
) -> None:
    refused = [number for number, truth in enumerate(truths) if isinstance(truth, Exception)]
    reported = [number for number in refused if errors(messages[module][number])]
    missed = [CASES[number].expression for number in refused if number not in reported]
    assert len(refused) > 30 or not sweeps.is_whole("calls")
    floor = sweeps.floor("calls", REPORTED[module], len(refused))
    assert len(reported) >= floor * len(refused), missed
