"""Type promotion: the common dtype of the operands of an operation.

`promote_types`, `result_type` and `can_promote` accept dtypes, scalar types, arrays and Python scalars.
`join` and `find` accept names only, and import neither NumPy nor JAX.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from jaxtyping_core import dtypes, systems
from jaxtyping_core.errors import PromotionError, UnknownNameError, unknown
from jaxtyping_core.lattice import NODES, Lattice

if TYPE_CHECKING:
    import numpy as np

_SYSTEM = (str, Lattice)
_TRUE = frozenset(("y", "yes", "t", "true", "on", "1"))  # as JAX reads its environment variables


class Promoted(NamedTuple):
    """The result of a promotion: a dtype, and whether an array of that type is weakly typed."""

    dtype: np.dtype[Any]
    weak_type: bool


def promote_types(a: Any, b: Any, *, system: str | Lattice = "jax", x64: bool | None = None) -> Promoted:
    """The dtype of ``x + y`` for arrays `x` of dtype `a` and `y` of dtype `b`.

    ``jax.numpy.promote_types`` ignores two things that this function respects. With 64-bit types off,
    int64 does not exist. And the result says whether it is weakly typed.
    Source: https://docs.jax.dev/en/latest/type_promotion.html.

    Args:
        a, b: dtypes. Each is a name ("int8", "weak_float"), a ``numpy.dtype``, a scalar type (``jnp.int8``),
            or a Python type (``float`` is weak).
        system: the name of a promotion system, or your own `Lattice`.
        x64: whether 64-bit types are on. None uses the setting of JAX if JAX is imported, else the
            environment variable ``JAX_ENABLE_X64``.

    Raises:
        PromotionError: `a` and `b` have no common dtype.
        UnknownNameError: a dtype or the system is unknown.

    Example:
        >>> promote_types("int32", "float16").dtype
        dtype('float16')
        >>> promote_types("int32", "float16", system="numpy").dtype
        dtype('float64')
        >>> promote_types("int32", float, x64=False)
        Promoted(dtype=dtype('float32'), weak_type=True)
    """
    return _promoted((_node_of_dtype(a), _node_of_dtype(b)), system, _x64(x64))


def result_type(*operands: Any, system: str | Lattice = "jax", x64: bool | None = None) -> Promoted:
    """The common dtype of `operands`.

    Args:
        operands: values, or dtypes as for `promote_types`. A value is a JAX array or tracer, a NumPy or
            Python scalar, or any object with a ``dtype``; its ``weak_type`` and ``ndim`` count too.
        system, x64: as for `promote_types`.

    Raises:
        PromotionError: the operands have no common dtype.
        UnknownNameError: an operand is neither a value nor a dtype, or the system is unknown.
        ValueError: there are no operands.
    """
    if not operands:
        raise ValueError("result_type needs at least one operand, got none")
    return _promoted(tuple(map(_node, operands)), system, _x64(x64))


def can_promote(a: Any, b: Any, *, system: str | Lattice = "jax", x64: bool | None = None) -> bool:
    """Whether `a` and `b` have a common dtype.

    Args:
        a, b, system, x64: as for `promote_types`.

    Raises:
        UnknownNameError: a dtype or the system is unknown.
    """
    nodes = (_node_of_dtype(a), _node_of_dtype(b))
    return find(nodes, system, _x64(x64)) is not None


def join(*nodes: str, system: str | Lattice = "jax", x64: bool = False) -> str:
    """The node that `nodes` promote to.

    Args:
        nodes: names of dtypes and weak types. A name followed by "[]" is an operand of rank 0. Only the
            system "torch" treats that differently.
        system: as for `promote_types`.
        x64: whether 64-bit types are on. The setting of JAX does not matter, as JAX may not be installed.

    Raises:
        PromotionError: the nodes have no common dtype.
        UnknownNameError: a node or the system is unknown.
        ValueError: there are no nodes.
    """
    if not nodes:
        raise ValueError("join needs at least one node, got none")
    node = find(nodes, system, x64)
    if node is None:
        raise PromotionError(_no_path(nodes, system, x64))
    return node


def find(nodes: tuple[str, ...], system: str | Lattice, x64: bool) -> str | None:
    """Like `join`, but returns None if the nodes have no common dtype."""
    if not isinstance(system, _SYSTEM):
        systems.get(system)  # which says what is wrong with it
    return _found(nodes, system, x64)


@functools.cache
def _found(nodes: tuple[str, ...], system: str | Lattice, x64: bool) -> str | None:
    for node in nodes:
        if not isinstance(node, str):
            raise UnknownNameError(f"{node!r} is not the name of a dtype: expected one such as 'int8'")
        if node.removesuffix(systems.RANK_0) not in dtypes.DTYPES and node not in dtypes.WEAK:
            raise UnknownNameError(unknown("dtype", node, NODES))
    return systems.get(system).promote(nodes, x64)


def resolve(node: str, x64: bool) -> str:
    """The dtype of arrays of `node`. For a weak type it is the default dtype of its kind."""
    return dtypes.default_dtype(dtypes.WEAK[node], x64) if node in dtypes.WEAK else node


def _x64(x64: bool | None) -> bool:
    """
    Raises:
        TypeError: `x64` is no bool.
    """
    if x64 is None:
        return x64_enabled()
    if not isinstance(x64, bool):
        raise TypeError(f"x64 is {x64!r}: expected True, False, or None for JAX's own setting")
    return x64


def x64_enabled() -> bool:
    """Whether 64-bit types are on: the setting of JAX if JAX is imported, else ``JAX_ENABLE_X64``."""
    config = getattr(sys.modules.get("jax"), "config", None)
    if config is not None:
        return bool(config.jax_enable_x64)
    return os.environ.get("JAX_ENABLE_X64", "").lower() in _TRUE


def _promoted(nodes: tuple[str, ...], system: str | Lattice, x64: bool) -> Promoted:
    if not isinstance(system, _SYSTEM):
        systems.get(system)  # which says what is wrong with it
    return _promotion(nodes, system, x64)


@functools.cache
def _promotion(nodes: tuple[str, ...], system: str | Lattice, x64: bool) -> Promoted:
    node = join(*nodes, system=system, x64=x64)
    return Promoted(dtypes.numpy_dtype(resolve(node, x64)), node in dtypes.WEAK)


def _node(operand: Any) -> str:
    """The node of a value or a dtype, marked where its rank is 0."""
    if (scalar := dtypes.PYTHON_SCALARS.get(type(operand))) is not None:
        return scalar
    dtype = None if isinstance(operand, type) else getattr(operand, "dtype", None)
    if dtype is None or not hasattr(operand, "ndim"):
        return _node_of_dtype(operand)
    node = _node_of_dtype(dtype)
    if getattr(operand, "weak_type", False) and node != "bool":
        kind = dtypes.kind(node).replace("u", "i")
        return next(weak for weak, weak_kind in dtypes.WEAK.items() if weak_kind == kind)
    return node if operand.ndim else node + systems.RANK_0


def _node_of_dtype(dtype: Any) -> str:
    try:
        return _known_dtype(dtype)
    except TypeError:  # unhashable: the uncached function says what is wrong with it
        return _name(dtype)


@functools.cache
def _known_dtype(dtype: Any) -> str:
    name = dtypes.PYTHON_SCALARS.get(dtype) or _name(dtype)
    if name not in dtypes.DTYPES and name not in dtypes.WEAK:
        raise UnknownNameError(unknown("dtype", name, NODES))
    return name


def _name(dtype: Any) -> str:
    """The dtype's name, from a string, a ``numpy.dtype``, a scalar type or a class named like a dtype."""
    if isinstance(dtype, str):
        return dtype
    carried = getattr(dtype, "dtype", None)  # ``jnp.float32`` carries its dtype
    name = getattr(carried, "name", None) or getattr(dtype, "name", None) or getattr(dtype, "__name__", None)
    if name is None:
        raise UnknownNameError(f"{dtype!r} is not a dtype: expected a name, a numpy.dtype or a scalar type")
    return {"bool_": "bool", "void": "float0"}.get(name, str(name))


def _no_path(nodes: tuple[str, ...], system: str | Lattice, x64: bool) -> str:
    """The message for operands without a common dtype: which, in which system, and the cast that helps."""
    chosen = systems.get(system)
    names = [node.removesuffix(systems.RANK_0) for node in nodes]
    fact = f"{_and(names)} have no common dtype in promotion system {chosen.name!r}"
    if chosen.follows_x64:
        fact += f" (x64 {'on' if x64 else 'off'})"
    present = [dtypes.canonical(name, x64 or not chosen.follows_x64) for name in names]
    strangers = [name for name in dict.fromkeys(present) if name not in chosen]
    if strangers:
        return f"{fact}, which does not know {_and(strangers)}; cast to a dtype that it knows first"
    for target, mended in _remedies(names, x64 or not chosen.follows_x64):
        if find(mended, system, x64) is not None:
            cast = [old for old, new in zip(names, mended, strict=True) if old != new]
            return f"{fact}; cast {_and(list(dict.fromkeys(cast)))} first, e.g. x.astype({target!r})"
    return f"{fact}; cast the operands to one dtype first"


def _remedies(names: list[str], x64: bool) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Dtypes to cast to, each with the nodes after the cast: of the strong operands, then of all.

    The dtypes are what JAX would promote to, then those of the operands, widest first.
    """
    joined = find(tuple(names), "jax", x64)
    widest = sorted(
        names, key=lambda name: ("buifc".index(dtypes.kind(name)), dtypes.DTYPES[resolve(name, x64)].bits)
    )
    for target in (resolve(name, x64) for name in (joined, *reversed(widest)) if name):
        wanted = {target, *(name for name in names if dtypes.canonical(name, x64) == target)}
        for keep in (wanted | set(dtypes.WEAK), wanted):
            yield target, tuple(name if name in keep else target for name in names)


def _and(names: list[str]) -> str:
    *most, last = map(repr, names)
    return f"{', '.join(most)} and {last}" if most else last
