"""The operators of the array class: what they follow.

Which dtype comes out of two arrays is a matter of the dtype classes (`joins`), so a handful of rows serve all pairs;
which one comes out of an array and a Python scalar is asked of JAX, dtype by dtype. Shapes: equal ones are kept, a
scalar takes the other's, all else is unknown. `callables` makes attributes of the array class of this.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any, NamedTuple

from jaxtyping_core import dtypes

from . import joins, tables


class Row(NamedTuple):
    """One overload: the dtype of the array (none: whatever it is), the other operand, and the result."""

    own: str
    other: str
    result: str


class Operator(NamedTuple):
    """An operator: its function, and the table of dtypes that it follows."""

    function: Callable[[Any, Any], Any]
    table: str = "join"


OPERATORS: dict[str, Operator] = {
    "add": Operator(operator.add),
    "sub": Operator(operator.sub),
    "mul": Operator(operator.mul),
    "truediv": Operator(operator.truediv, "divide"),
    "floordiv": Operator(operator.floordiv),
    "mod": Operator(operator.mod),
    "pow": Operator(operator.pow, "power"),
    "lshift": Operator(operator.lshift, "bitwise"),
    "rshift": Operator(operator.rshift, "bitwise"),
    "and": Operator(operator.and_, "bitwise"),
    "or": Operator(operator.or_, "bitwise"),
    "xor": Operator(operator.xor, "bitwise"),
}

#: Python scalars: a value of each type, and what the stubs call it. An int is no float here, nor a float a complex.
PYTHON: dict[str, Any] = {"bool": True, "int": 2, "float": 2.0, "complex": 2j}

#: The NumPy scalar types, by the dtype that JAX gives them.
NUMPY: tuple[str, ...] = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
)


def exceptions(name: str) -> list[Row]:
    """The row for the pair of bools, where it is not as the table says."""
    found = tables.spell(tables.in_both_modes(OPERATORS[name].function, [("bool", "bool")])[0])
    said = joins.cell(OPERATORS[name].table, "bool", "bool")
    if found in (said, None):
        return []
    return [Row("bool_", "Array[bool_, Any]", f"Array[{found}, Unk]")]


@functools.cache
def scalar_table(name: str, kind: str, reflected: bool) -> dict[str, str | None]:
    function, value = OPERATORS[name].function, PYTHON[kind]

    def applied(x: Any) -> Any:
        return function(value, x) if reflected else function(x, value)

    results = tables.in_both_modes(applied, [(node,) for node in tables.nodes()])
    return dict(zip(tables.nodes(), map(tables.spell, results), strict=True))


#: The dtypes of NumPy operands that have rows: each row costs every operator something.
COMMON = ("bool", "int32", "int64", "float16", "float32", "float64")
#: Scalars with a row that tells the shape. The first is a Python float as well, so these rows come before those.
SCALARS = ("float64", "float32")

#: NumPy's complex numbers, some of which are Python's.
COMPLEX = Row("", "_np.complexfloating[Any, Any]", "Array[Unk, Sh]")
#: An array of unknown dtype would match all of the rows for arrays.
UNKNOWN_NUMPY = Row("", "_np.ndarray[Any, _np.dtype[_NoScalar]]", "Array[Unk, Unk]")
#: All other dtypes.
ANY_SCALAR = Row("", "_np.number[Any] | _np.bool_", "Array[Unk, Sh]")
ANY_NUMPY = Row("", "_np.ndarray[Any, Any]", "Array[Unk, Unk]")


def scalars_of_numpy(name: str, reflected: bool) -> list[Row]:
    """The rows for NumPy scalars that come before those for Python's."""
    return [*(_with_numpy(name, node, reflected, _numpy(node), "Sh") for node in SCALARS), COMPLEX]


def with_numpy(name: str, reflected: bool) -> list[Row]:
    """The rows for an array and any other NumPy scalar, or a NumPy array."""
    rows = []
    for node in COMMON:
        array = f"_np.ndarray[Any, _np.dtype[{_numpy(node)}]]"
        scalar = [] if node in SCALARS else [_numpy(node)]
        rows.append(_with_numpy(name, node, reflected, " | ".join([*scalar, array]), "Unk"))
    return [UNKNOWN_NUMPY, *rows, ANY_SCALAR, ANY_NUMPY]


def _with_numpy(name: str, node: str, reflected: bool, other: str, shape: str) -> Row:
    return Row(_side(OPERATORS[name].table, node, reflected), other, f"Array[_R, {shape}]")


def _side(table: str, node: str, reflected: bool) -> str:
    alias = as_default(node)
    return f"_{table.capitalize()}[{alias}, _R]" if reflected else f"_{table.capitalize()}_{alias}[_R]"


def as_default(node: str) -> str:
    """The class for a dtype of NumPy: JAX shrinks its 64-bit types where it has none."""
    return tables.DEFAULTS.get((dtypes.canonical(node, x64=False), node), tables.class_name(node))


def _numpy(node: str) -> str:
    return f"_np.{tables.class_name(node)}"
