"""The ways to ask for a dtype (the argument ``dtype=``), each with the class of what JAX then gives.

JAX shrinks 64-bit types where they are switched off, so that what asks for one gets the default dtype of its kind.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from jaxtyping_core import dtypes

from . import operators, tables


class Request(NamedTuple):
    """A row: what the argument may be, and the class of the dtype of the result."""

    annotation: str
    result: str


#: A class of ours, the dtype of an array, or an array: the class itself.
BY_CLASS = Request("type[_D__generic] | DTypeObject[_D__generic] | _HasDType[_D__generic]", "_D__generic")
#: A dtype object of NumPy of which the scalar type is not known.
UNKNOWN = Request("_np.dtype[_Sen]", "Unk")
#: A string that a program spells out, and that names no dtype; mypy and zuban cannot tell it from any other.
MISSPELT = Request("_Misspelt", "_NotADType")

#: Builtin types, in an order in which none accepts those after it.
BUILTINS = {"bool": "_bool", "int64": "int", "float64": "float", "complex128": "complex"}
#: Words for some of the dtypes.
WORDS = ("half", "single", "double", "float", "complex", "csingle", "cdouble", "int")
#: NumPy's names for the integers of C.
C_TYPES = (
    *("bool_", "byte", "short", "intc", "int_", "intp", "long", "longlong"),
    *("ubyte", "ushort", "uintc", "uint", "uintp", "ulong", "ulonglong"),
)
#: Types of one bit, of which JAX often makes bools.
ONE_BIT = ("uint1", "int1")

#: The other 64-bit type, which is shrunk as well.
SHRUNK = ("uint64",)


def requests() -> list[Request]:
    """The rows, in the order in which they must be tried."""
    first = [*BUILTINS, *SHRUNK]
    rest = [node for node in tables.nodes() if node not in (*first, *ONE_BIT, *dtypes.WEAK)]
    one_bit = Request(" | ".join([*(f"type[{node}]" for node in ONE_BIT), _literal(list(ONE_BIT))]), "Unk")
    return [
        UNKNOWN,
        one_bit,
        *map(_first, first),
        BY_CLASS,
        *map(_rest, rest),
        Request(_literal(_unclear()), "Unk"),
        MISSPELT,
    ]


def _first(node: str) -> Request:
    cls = tables.class_name(node)
    own = [f"type[{cls}]", f"DTypeObject[{cls}]", f"_HasDType[{cls}]"]
    builtin = [f"type[{BUILTINS[node]}]"] if node in BUILTINS else []
    return Request(
        " | ".join([*builtin, *own, *_numpy(node), _literal(names(node))]), operators.as_default(node)
    )


def _rest(node: str) -> Request:
    return Request(" | ".join([*_numpy(node), _literal(names(node))]), tables.class_name(node))


def _numpy(node: str) -> list[str]:
    if node not in operators.NUMPY:
        return []
    scalar = f"_np.{tables.class_name(node)}"
    return [f"type[{scalar}]", f"_np.dtype[{scalar}]"]


def _literal(strings: list[str]) -> str:
    return f"Literal[{', '.join(map(repr, strings))}]"


def names(node: str) -> list[str]:
    """The strings that name a dtype on every platform, its own name first."""
    return [node, *(text for text, dtype in _strings().items() if dtype == node and text != node)]


@functools.cache
def _strings() -> dict[str, str]:
    """Every string that names a dtype, with the name of that dtype."""
    sized = [np.dtype(name).str[1:] for name in operators.NUMPY]
    found = {}
    for text in [*operators.NUMPY, *sized, *WORDS, *tables.nodes()]:
        try:
            found[text] = str(jnp.dtype(text).name)
        except TypeError:  # no name of a dtype: a weak type, an order that the dtype has not
            continue
    return found


def _unclear() -> list[str]:
    """The strings that name a dtype that depends on the platform, or that hardly anyone writes."""
    return [*C_TYPES, *(np.dtype(name).str for name in operators.NUMPY)]
