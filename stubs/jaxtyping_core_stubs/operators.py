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

import numpy as np

from jaxtyping_core import dtypes

from . import joins, tables

#: Operators that give the same with scalars, by what they are called.
FAMILIES: dict[str, tuple[str, ...]] = {
    "add": ("add", "sub", "mul"),
    "floordiv": ("floordiv", "mod"),
    "lshift": ("lshift", "rshift"),
    "truediv": ("truediv",),
    "pow": ("pow",),
    "and": ("and", "or", "xor"),
}


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

#: The scalars that operators tell apart, by type: NumPy's float32 is what the limits of that dtype are.
SCALARS: dict[str, Any] = {"_bool": True, "int": 2, "_PyFloat": 2.0, "_np.float32": np.float32(2)}

#: The NumPy scalar types, by the dtype that JAX gives them.
NUMPY: tuple[str, ...] = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
)


def differs_for_bools(name: str) -> bool:
    """Whether a pair of bools does not give what the table says."""
    result = tables.spell(tables.in_both_modes(OPERATORS[name].function, [("bool", "bool")])[0])
    return result not in (None, joins.cell(OPERATORS[name].table, "bool", "bool"))


@functools.cache
def scalar_table(name: str, kind: str, reflected: bool) -> dict[str, str | None]:
    function, value = OPERATORS[name].function, SCALARS[kind]

    def applied(x: Any) -> Any:
        return function(value, x) if reflected else function(x, value)

    results = tables.in_both_modes(applied, [(node,) for node in tables.nodes()])
    return dict(zip(tables.nodes(), map(tables.spell, results), strict=True))


def as_default(node: str) -> str:
    """The class for a dtype of NumPy: JAX shrinks its 64-bit types where it has none."""
    return tables.DEFAULTS.get((dtypes.canonical(node, x64=False), node), tables.class_name(node))
