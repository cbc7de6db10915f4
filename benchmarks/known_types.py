"""What a type that a checker reveals says of the arrays in it: their dtypes, their ranks."""

from __future__ import annotations

import ast
import importlib
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from third_party import ROOT

from jaxtyping_core import dtypes

sys.path.insert(0, str(ROOT / "tests"))
#: The tests' reader of types, and of pyright's arrays.
verdict: Any = importlib.import_module("conformance.verdict")
as_written: Callable[[str], str] = importlib.import_module("checkers").as_written

TYPE_VARIABLE = re.compile(r"\w+@\w+")
#: pyright's mark of a type that a type variable's bound or constraint has.
CONDITIONAL = re.compile(r"(?<=[\w\]])\*(?= \|)")
DTYPES = {row.class_name for row in dtypes.DTYPES.values()} | set(dtypes.WEAK) | {"prng_key"}
#: What weak dtypes are by default.
CANONICAL: Mapping[str | None, str] = {
    "weak_int": "int32",
    "weak_float": "float32",
    "weak_complex": "complex64",
}
#: Types that say nothing.
OPEN = {"Unknown", "Any", "object", ""}
#: Types whose arguments are no part of the value: functions, classes, arrays of NumPy, and the stubs' own such.
NO_PARTS = {
    "Callable",
    "Overload",
    "TypedDict",
    "Literal",
    "Module",
    "type",
    "dtype",
    "ndarray",
    "partial",
    "Generator",
}
NO_PARTS |= {"DTypeObject", "Transformed", "TransformedMethod", "Compiled", "Jitted", "Batched"}
NO_PARTS |= {"custom_jvp", "custom_vjp", "_GeneratorContextManager"}
UNREADABLE = "unreadable"


class Said(NamedTuple):
    """What a type says of an array; None for what it leaves open."""

    dtype: str | None
    rank: int | None


NOTHING = Said(None, None)


def said(text: str) -> list[Said]:
    """What a revealed type says of each of the arrays in it; of none, if there can be none.

    Raises:
        UnreadableError: the type is not written as Python's expressions.
    """
    plain = CONDITIONAL.sub("", TYPE_VARIABLE.sub("Unknown", as_written(text)))
    return list(_arrays(verdict.parse(plain)))


def _arrays(claim: ast.expr) -> Iterator[Said]:
    """The arrays in a value of a type."""
    members = [member for member in _members(claim) if ast.unparse(member) != "None"]
    name = _name(members[0]) if len(members) == 1 else "None"
    if len(members) > 1:
        by_member = [list(_arrays(member)) for member in members]
        if any(by_member):
            yield _either([arrays[0] if len(arrays) == 1 else NOTHING for arrays in by_member])
    elif name == "Array":
        yield _array(*_arguments(members[0]))
    elif name in OPEN and not isinstance(members[0], ast.Constant | ast.Tuple | ast.List):
        yield NOTHING
    elif name not in NO_PARTS:
        for part in _arguments(members[0]) if members else ():
            yield from _arrays(part)


def _either(members: list[Said]) -> Said:
    """Of a union: what all members say; without 64-bit types, a weak dtype and the default of its kind are one."""
    dtypes_, ranks = {each.dtype for each in members}, {each.rank for each in members}
    if len(dtypes_) > 1:
        dtypes_ = {CANONICAL.get(name, name) for name in dtypes_}
    return Said(dtypes_.pop() if len(dtypes_) == 1 else None, ranks.pop() if len(ranks) == 1 else None)


def _array(dtype: ast.expr | None = None, shape: ast.expr | None = None, *_: ast.expr) -> Said:
    name = _name(dtype) if dtype is not None else ""
    return Said(name if name in DTYPES else None, _rank(shape) if shape is not None else None)


def _rank(shape: ast.expr) -> int | None:
    dims = _arguments(shape)
    if _name(shape) != "tuple" or not dims:
        return None
    if any(isinstance(dim, ast.Starred) or ast.unparse(dim) == "..." for dim in dims):
        return None
    return 0 if ast.unparse(dims[0]) == "()" else len(dims)


def _members(claim: ast.expr) -> list[ast.expr]:
    if isinstance(claim, ast.BinOp) and isinstance(claim.op, ast.BitOr):
        return [*_members(claim.left), *_members(claim.right)]
    return [claim]


def _name(claim: ast.expr) -> str:
    match claim:
        case ast.Subscript(value) | ast.Call(func=value) | ast.Starred(value):
            return _name(value)
        case ast.Attribute(attr=name) | ast.Name(name):
            return name
    return ""


def _arguments(claim: ast.expr) -> list[ast.expr]:
    match claim:
        case ast.Starred(value):
            return _arguments(value)
        case ast.Subscript(slice=ast.Tuple(items)) if items:
            return items
        case ast.Subscript(slice=only):
            return [only]
    return []


@cache
def answer(text: str) -> str:
    """What is known at a site: "dtype", "rank", "both", "open" for neither, or "no array"."""
    try:
        arrays = said(text)
    except verdict.UnreadableError:
        # A function's parameters may be written out, which is no expression of Python's.
        return "no array" if text.partition("[")[0] in NO_PARTS and " | Array" not in text else UNREADABLE
    if not arrays:
        return "no array"
    dtype, rank = (all(each[at] is not None for each in arrays) for at in (0, 1))
    return {(True, True): "both", (True, False): "dtype", (False, True): "rank"}.get((dtype, rank), "open")
