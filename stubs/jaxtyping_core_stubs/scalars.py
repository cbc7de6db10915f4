"""``jax/_src/numpy/scalar_types.pyi``: the dtypes as classes, with what operations make of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import jax._src.numpy.scalar_types as source

from jaxtyping_core import dtypes
from jaxtyping_core.dtypes import DTypeInfo

from . import joins, operators, requests, tables, weak
from .rules import named

HEAD = """
from typing import Any, ClassVar, Generic, Protocol, Self, overload

import numpy as _np
from typing_extensions import TypeVar

from jax._arrays import Array
{defaults}

_R = TypeVar("_R")
_S = TypeVar("_S")
_R_co = TypeVar("_R_co", covariant=True)
_O_co = TypeVar("_O_co", covariant=True)
_O_contra = TypeVar("_O_contra", contravariant=True)

class _ScalarMeta(type):
    dtype: _np.dtype[Any]
    @property
    def __numpy_dtype__(self) -> _np.dtype[Any]: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
"""

MODULE = "jax._src.numpy.scalar_types"
#: The module of the stubs that has the default dtypes. They are the classes themselves, by another name, for an alias is
#: what editors would show.
DEFAULTS = "jax._defaults"

_DEFAULTS = """
import os
from typing import Final

# Whether JAX computes with 64-bit types: mypy's always_true, pyright's defineConstant. mypy and zuban take the first
# branch that may be true, pyright the last; the others rule the second one out.
JAX_ENABLE_X64: Final = {x64}

__all__ = [{names}]
"""
_BRANCHES = """
if not JAX_ENABLE_X64:
    {off}
elif os.name.startswith("x64"):
    {on}
elif not JAX_ENABLE_X64:
    {off}
"""


def defaults(x64: bool = False) -> str:
    """The text of the stub of the default dtypes; the one for 64-bit types is for checkers that cannot be told of them."""
    names = ", ".join(f'"{alias}"' for alias in tables.DEFAULTS.values())
    off, on = (
        f"from {MODULE} import "
        + ", ".join(f"{pair[mode]} as {name}" for pair, name in tables.DEFAULTS.items())
        for mode in (False, True)
    )
    return _DEFAULTS.format(x64=x64, names=names) + (f"{on}\n" if x64 else _BRANCHES.format(off=off, on=on))


def render() -> str:
    """The text of the stub."""
    rows = [row for row in dtypes.DTYPES.values() if has_class(row)]
    lines = [
        HEAD.format(defaults=_default_imports()),
        *(line for table in JOINED for line in joins.protocols(table)),
        *weak.protocol(),
        f"class {ASKED}(Generic[_R_co]): ...",
        *(line for table in named.known() if table != "asked" for line in _unary_protocol(table)),
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


def of_dtypes() -> list[str]:
    """The classes of the dtypes that ``jax.numpy`` has by these names."""
    return [row.class_name for row in dtypes.DTYPES.values() if row.promotes]


def names_in(text: str) -> list[str]:
    """The names of this module that are used in a text."""
    used = dict.fromkeys(re.findall(r"\b[A-Za-z_]\w*", text))
    own = {*class_names(), *tables.DEFAULTS.values(), weak.PROTOCOL, *weak.columns()}
    own |= {f"_Has_{table}" for table in named.known()}
    return [name for name in used if name in own or _PROTOCOL.fullmatch(name)]


_PROTOCOL = re.compile(rf"_(?:{'|'.join(table.capitalize() for table in JOINED)})(?:_\w+)?")


def has_class(row: DTypeInfo) -> bool:
    """Whether arrays of the dtype are annotated with a class of this project."""
    return row.promotes or row.name == "float0"


def _default_alias(kind: str) -> str:
    return tables.DEFAULTS[dtypes.default_dtype(kind, x64=False), dtypes.default_dtype(kind, x64=True)]


def _default_imports() -> str:
    return f"from {DEFAULTS} import " + ", ".join(f"{name} as {name}" for name in tables.DEFAULTS.values())


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
    node = {"bool_": "bool"}.get(name, name)
    bases = ", ".join([*([parent] if parent else []), *_asked(node), *metaclass])
    yield f"\nclass {name}({bases}):" if bases else f"\nclass {name}:"
    yield from own
    if parent is None:
        yield "    def _is_strong(self) -> int: ..."
    if name in dtypes.WEAK:
        yield "    _is_strong: None"
    if node not in joins.classes():
        yield "    ..."
        return
    if parent is None or node in tables.nodes():
        yield weak.method(node)
    for table in JOINED:
        yield from joins.methods(table, node)
    for table, results in named.known().items():
        if table != "asked":
            yield from joins.unary_method(table, results, node)


#: What JAX gives that is asked for a dtype: a base of its class, for checkers find it sooner than a method. An abstract
#: class has none, and a weak one that of its default dtype.
ASKED = "_Has_asked"


def _asked(node: str) -> list[str]:
    if node not in tables.nodes() or node in dtypes.WEAK:
        return []
    known = named.known().get("asked", {})
    result = joins.OPEN if node in requests.ONE_BIT else joins.unary_cell(known, node)
    return [f"{ASKED}[{result}]"]


def _concrete(row: DTypeInfo) -> Iterator[str]:
    name = row.class_name
    own = [
        "    dtype: ClassVar[_np.dtype[Any]]",
        *_constructor(operators.as_default(row.name)),
    ]
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
