"""The ways to ask for a dtype (the argument ``dtype=``), each with the class of what JAX then gives.

JAX shrinks 64-bit types where they are switched off, so that what asks for one gets the default dtype of its kind.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from jaxtyping_core import dtypes

from . import operators, tables


class Request(NamedTuple):
    """A row: what the argument may be, and the class of the dtype of the result."""

    annotation: str
    result: str

    def answer(self, result: str) -> str:
        """What the row returns where others return `result`: no array at all if there is no such dtype."""
        return self.result if self == MISSPELT else result


#: The type variable for what JAX gives.
ASKED = "_A"


def _by_class(classes: Iterable[str]) -> str:
    """A class of ours, the dtype of an array, or an array."""
    return " | ".join(f"{form}[{name}]" for name in classes for form in ("type", "DTypeObject", "_HasDType"))


#: The class tells what JAX gives.
BY_CLASS = Request(_by_class([f"_Has_asked[{ASKED}]"]), ASKED)
#: Types of one bit, of which JAX often makes bools.
ONE_BIT = ("uint1", "int1")
#: A class or dtype object of which nothing is known, or of one bit.
UNKNOWN_CLASS = Request(f"{_by_class(['_Sen', *ONE_BIT])} | Literal{list(ONE_BIT)}", "Unk")
#: What a function that does not shrink 64-bit types gives something else for.
WIDE = Request(_by_class(["int64", "uint64", "float64", "complex128", *dtypes.WEAK]), "Unk")
#: A dtype object of NumPy of which the scalar type is not known.
UNKNOWN = Request("_np.dtype[_NoScalar]", "Unk")
#: A string that a program spells out, and that names no dtype; mypy and zuban cannot tell it from any other.
MISSPELT = Request("_Misspelt", "_NotADType")
#: One of the strings that name a dtype that is not told: see `unclear` and `of_numpy`.
UNCLEAR = Request("_UnclearName | _NumPyName", "Unk")

#: Builtin types, in an order in which none accepts those after it. jax.lax has another `complex`.
BUILTINS = {"bool": "_bool", "int64": "int", "float64": "float", "complex128": "_complex"}
#: Words for some of the dtypes.
WORDS = ("half", "single", "double", "float", "complex", "csingle", "cdouble", "int")
#: NumPy's names for the integers of C.
C_TYPES = (
    *("bool_", "byte", "short", "intc", "int_", "intp", "long", "longlong"),
    *("ubyte", "ushort", "uintc", "uint", "uintp", "ulong", "ulonglong"),
)
#: The dtypes that have a row for their names: those of NumPy, and the one that it lacks and everyone uses.
NAMED = (*operators.NUMPY, "bfloat16")


def requests() -> list[Request]:
    """The rows, in the order in which they must be tried: a dtype object of ours is one of NumPy, too."""
    return [UNKNOWN_CLASS, BY_CLASS, UNKNOWN, *map(by_name, NAMED), UNCLEAR, MISSPELT]


def told() -> list[Request]:
    """The rows of what tells a dtype, for functions that programs hand on to others, as those that make initializers.

    pyright compares each two overloads of such a function, and takes a tenth of a second for two with the names of NumPy.
    """
    return [request for request in requests() if request not in (UNCLEAR, MISSPELT)]


def by_name(node: str) -> Request:
    """A name, a builtin type, or what NumPy has for the dtype."""
    scalar = f"_np.{tables.class_name(node)}"
    numpy = [f"type[{scalar}]", f"_np.dtype[{scalar}]"] if node in operators.NUMPY else []
    builtin = [f"type[{BUILTINS[node]}]"] if node in BUILTINS else []
    return Request(" | ".join([*builtin, *numpy, _literal(names(node))]), operators.as_default(node))


def _literal(strings: list[str]) -> str:
    return f"Literal[{', '.join(map(repr, strings))}]"


def names(node: str) -> list[str]:
    """The strings that name a dtype on every platform, its own name first."""
    return [node, *(text for text, dtype in _strings().items() if dtype == node and text != node)]


@functools.cache
def _strings() -> dict[str, str]:
    """Every string that names a dtype, with the name of that dtype."""
    found = {}
    for text in [*operators.NUMPY, *_sized(), *WORDS, *tables.nodes()]:
        try:
            found[text] = str(jnp.dtype(text).name)
        except TypeError:  # no name of a dtype: a weak type, an order that the dtype has not
            continue
    return found


def unclear() -> str:
    """The strings that name a dtype that depends on the platform, or that hardly anyone writes."""
    rare = [node for node in tables.nodes() if node not in (*NAMED, *ONE_BIT, *dtypes.WEAK)]
    return _literal([*rare, *C_TYPES])


def of_numpy() -> str:
    """All other strings that name a dtype: NumPy's codes, with or without an order of bytes.

    They are no literals of a row, but those of its type variable, so that no editor offers them.
    """
    codes = [*np.typecodes["All"], *_sized()]
    ordered = (f"{order}{code}" for order, code in itertools.product(("", *"<>=|"), codes))
    known = {text for node in NAMED for text in names(node)}
    return _literal([text for text in ordered if text not in known and _names_dtype(text)])


def _names_dtype(text: str) -> bool:
    """Whether JAX takes a string of NumPy for a dtype: its numbers, in the order of bytes of this machine."""
    try:
        found = np.dtype(text)
    except TypeError:
        return False
    return found.isnative and found.name in operators.NUMPY


def _sized() -> list[str]:
    """The names by the number of bytes."""
    return [np.dtype(name).str[1:] for name in operators.NUMPY]


#: A row for strings that name no dtype.
_MISSPELT_ROW = re.compile(rf"^( *)@overload\n(?=.* -> {MISSPELT.result}: )", re.MULTILINE)


def marked(text: str) -> str:
    """The text of a stub in which a call with a misspelt name is reported, or crossed out, where it stands.

    No checker can refuse it: what takes a string that is computed takes one that is spelled out.
    """
    found = _MISSPELT_ROW.sub(r"\1@overload\n\1@_deprecated('no dtype has this name')\n", text)
    return f"from typing_extensions import deprecated as _deprecated\n{found}" if found != text else text
