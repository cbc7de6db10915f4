"""Sizes that arrays answer: ``x.shape``, ``x.ndim``, ``x.size`` and ``len(x)``.

The types of the last three are plain ints, in which the plugin notes the value: a literal there makes mypy skip
branches (``if x.ndim == 2``) without a word.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from mypy.nodes import OpExpr

from jaxtyping_core.domain.dims import Dim
from jaxtyping_core_mypy.convert import Type, is_any
from jaxtyping_core_mypy.site import Site
from jaxtyping_core_mypy.unpacking import targets_beside_star


def _size(dims: tuple[Dim, ...]) -> Dim:
    if None in dims:
        return None
    numbers = [dim for dim in dims if isinstance(dim, int)]
    if len(numbers) == len(dims):
        return math.prod(numbers)
    return " * ".join(f"({dim})" for dim in dims)


ATTRIBUTES: dict[str, Callable[[tuple[Dim, ...]], Dim]] = {"ndim": len, "size": _size}


def shape(site: Site) -> Type:
    """The hook of the array attribute `shape`."""
    array = site.reader.array_of(site.ctx.type)
    if array is None or not array.shape:  # to mypy, a loop over the empty tuple is one over nothing
        return site.default
    beside_star = targets_beside_star(site.facts, site.ctx.context)
    if beside_star == len(array.shape):  # ``*batch, d = x.shape`` of no batch
        return site.default
    return site.writer.shape(array.shape)


def attribute(site: Site, name: str) -> Type:
    """The hook of the array attribute `name`, one of `ATTRIBUTES`."""
    return _noted(site, site.ctx.type, ATTRIBUTES[name])


def length(site: Site) -> Type:
    """The hook of ``len``."""
    if not site.ctx.arg_types or not site.ctx.arg_types[0]:
        return site.default
    return _noted(site, site.ctx.arg_types[0][0], lambda dims: dims[0] if dims else None)


def power(site: Site) -> Type:
    """The hook of ``d ** -0.5``, which may be complex to mypy: of a size, or of a known number, it is not."""
    if not is_any(site.default) or not isinstance(site.ctx.context, OpExpr):
        return site.default
    value = site.reader.argument(site.ctx.context, site.default)
    return site.default if value is None else site.writer.value(value, site.default)


def _noted(site: Site, array: Type, compute: Callable[[tuple[Dim, ...]], Dim]) -> Type:
    """mypy's type, or where it is known the int that `compute` makes of the array's dims."""
    known = site.reader.array_of(array)
    size = None if known is None or known.shape is None else compute(known.shape)
    return site.default if size is None else site.writer.size(size)
