"""``jax/_src/numpy/scalar_types.pyi``: the dtypes as classes, with what operations make of them."""

from __future__ import annotations

from collections.abc import Iterator

import jax._src.numpy.scalar_types as source

from jaxtyping_core import dtypes
from jaxtyping_core.dtypes import DTypeInfo

from . import callables, joins, operators, tables
from .rules import named

HEAD = """
import os
from typing import Any, ClassVar, Final, Protocol, Self, TypeAlias, overload

import numpy as _np
from typing_extensions import TypeVar

from jax._results import Array

# Whether JAX computes with 64-bit types: mypy's always_true, pyright's defineConstant. mypy and zuban take the first
# branch that may be true, pyright the last; the others rule the second one out.
JAX_ENABLE_X64: Final = {x64}

_R = TypeVar("_R")
_S = TypeVar("_S")
_RB = TypeVar("_RB", covariant=True)
_RI = TypeVar("_RI", covariant=True)
_RF = TypeVar("_RF", covariant=True)
_RC = TypeVar("_RC", covariant=True)
_R_co = TypeVar("_R_co", covariant=True)
_O_co = TypeVar("_O_co", covariant=True)
_O_contra = TypeVar("_O_contra", contravariant=True)

class _BoolPair(Protocol[_O_contra]):
    def _bool_pair(self, other: _O_contra, /) -> None: ...

class _ScalarMeta(type):
    dtype: _np.dtype[Any]
    @property
    def __numpy_dtype__(self) -> _np.dtype[Any]: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
"""

DEFAULTS = """
if not JAX_ENABLE_X64:
{off}elif os.name.startswith("x64"):
{on}elif not JAX_ENABLE_X64:
{off}"""


def render(x64: bool = False) -> str:
    """The text of the stub; the one for 64-bit types is for checkers that cannot be told of them."""
    rows = [row for row in dtypes.DTYPES.values() if has_class(row)]
    lines = [
        HEAD.format(x64=x64),
        *_defaults(x64),
        *(line for table in JOINED for line in joins.protocols(table)),
        *callables.protocols(),
        *(line for table in named.known() for line in _unary_protocol(table)),
        *(line for first, second in PAIRS for line in _pair_protocol(first, second)),
        *(line for name, parent in dtypes.ABSTRACT.items() for line in _class(name, parent, [])),
        *(line for row in rows for line in _concrete(row)),
        *(line for name, kind in dtypes.WEAK.items() for line in _class(name, _default_alias(kind), [])),
        *_aliases(),
    ]
    return "\n".join([*lines, ""])


#: The tables of two dtypes that are written out.
JOINED = ("join", "divide", "power", "bitwise")


def class_names() -> list[str]:
    """The classes that stand for dtypes in annotations: abstract, of a dtype, weak."""
    rows = [row.class_name for row in dtypes.DTYPES.values() if has_class(row)]
    return [*dtypes.ABSTRACT, *rows, *dtypes.WEAK]


def joined_classes() -> Iterator[str]:
    """The names of the classes in the tables, with those that depend on the mode."""
    yield from map(tables.class_name, joins.classes())
    yield from tables.DEFAULTS.values()


def has_class(row: DTypeInfo) -> bool:
    """Whether arrays of the dtype are annotated with a class of this project."""
    return row.promotes or row.name == "float0"


def _default_alias(kind: str) -> str:
    return tables.DEFAULTS[dtypes.default_dtype(kind, x64=False), dtypes.default_dtype(kind, x64=True)]


def _defaults(x64: bool) -> Iterator[str]:
    """The names for the default dtypes. A stub for 64-bit types alone has no branches."""
    definitions = [list(_default_definitions(on)) for on in (False, True)]
    if x64:
        yield from definitions[True]
    else:
        off, on = ("".join(f"    {line}\n" for line in lines) for lines in definitions)
        yield DEFAULTS.format(off=off, on=on)


def _default_definitions(on: bool) -> Iterator[str]:
    for pair, alias in tables.DEFAULTS.items():
        yield f"{alias}: TypeAlias = {pair[on]}"
        for table in JOINED:
            prefix = f"_{table.capitalize()}_"
            yield f"{prefix}{alias}: TypeAlias = {prefix}{pair[on]}[_R]"


def _unary_protocol(table: str) -> Iterator[str]:
    yield f"class _Has_{table}(Protocol[_R_co]):"
    yield f"    def _{table}(self) -> _R_co: ..."


#: Tables of which a function of one array follows two: one for each of its results.
PAIRS = (("inexact", "real_inexact"),)


def _pair_protocol(first: str, second: str) -> Iterator[str]:
    yield f"class _Has_{first}_{second}(Protocol[_R_co, _O_co]):"
    yield f"    def _{first}(self) -> _R_co: ..."
    yield f"    def _{second}(self) -> _O_co: ..."


def _class(name: str, parent: str | None, own: list[str]) -> Iterator[str]:
    """A dtype class: its own members, then those of the tables."""
    metaclass = ["metaclass=_ScalarMeta"] if own else []
    bases = ", ".join([*([parent] if parent else []), *metaclass])
    yield f"\nclass {name}({bases}):" if bases else f"\nclass {name}:"
    yield from own
    if parent is None:
        yield "    def _is_strong(self) -> int: ..."
    if name in dtypes.WEAK:
        yield "    _is_strong: None"
    node = {"bool_": "bool"}.get(name, name)
    if node not in joins.classes():
        yield "    ..."
        return
    for table in JOINED:
        yield from joins.methods(table, node)
    yield from callables.methods(node)
    for table, results in named.known().items():
        yield from joins.unary_method(table, results, node)


def _concrete(row: DTypeInfo) -> Iterator[str]:
    name = row.class_name
    own = [
        "    dtype: ClassVar[_np.dtype[Any]]",
        *_constructor(operators.as_default(row.name)),
    ]
    if name == "bool_":
        own.append("    def _bool_pair(self, other: bool_, /) -> None: ...")
    yield from _class(name, row.parent, own)


def _constructor(result: str) -> Iterator[str]:
    """A call of the class: an array of its dtype, with the shape of the argument."""
    for annotation, shape in (("complex = ...", "tuple[()]"), ("Array[Any, _S]", "_S"), ("Any", "Any")):
        yield "    @overload"
        yield f"    def __new__(cls, x: {annotation}, /) -> Array[{result}, {shape}]: ..."


def _aliases() -> Iterator[str]:
    """Further names of the module for the same classes (``int_``, ``single``)."""
    written = set(class_names())
    for name, value in sorted(vars(source).items()):
        if isinstance(value, source._ScalarMeta) and name not in written:
            yield f"{name} = {dtypes.DTYPES[value.dtype.name].class_name}"
