"""Sizes: the attribute `shape` of arrays, and powers of sizes."""

from __future__ import annotations

from mypy.nodes import FloatExpr, OpExpr

from jaxtyping_core.domain.values import Scalar
from jaxtyping_core_mypy.convert import Type, is_any
from jaxtyping_core_mypy.convert.written_sizes import size_of
from jaxtyping_core_mypy.site import Site
from jaxtyping_core_mypy.unpacking import targets_beside_star


def shape(site: Site) -> Type:
    """The hook of the array attribute `shape`."""
    array = site.reader.array_of(site.ctx.type)
    if array is None or not array.shape:  # to mypy, a loop over the empty tuple is one over nothing
        return site.default
    if targets_beside_star(site.facts, site.ctx.context) == len(
        array.shape
    ):  # ``*batch, d = x.shape`` of no batch
        return site.default
    return site.writer.shape(array.shape)


def power(site: Site) -> Type:
    """The hook of ``d ** -0.5``, which may be complex to mypy: of a size, or of a number that is written, it is not."""
    whole = site.ctx.context
    if not is_any(site.default) or not isinstance(whole, OpExpr):
        return site.default
    size = size_of(site.reader, whole.left)
    is_positive = isinstance(whole.left, FloatExpr) or (size is not None and "-" not in str(size))
    return site.writer.value(Scalar("float"), site.default) if is_positive else site.default
