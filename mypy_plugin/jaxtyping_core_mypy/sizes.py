"""Sizes: the attribute `shape` of arrays, powers of sizes, and comparisons that say that dims are equal: ``if n == m:``."""

from __future__ import annotations

from collections.abc import Iterable

from mypy.nodes import ComparisonExpr, Expression, FloatExpr, OpExpr

from jaxtyping_core.domain.dims import Dim
from jaxtyping_core.domain.values import Scalar
from jaxtyping_core_mypy.convert import Type, is_any
from jaxtyping_core_mypy.convert.abstract import SYMBOL
from jaxtyping_core_mypy.convert.written_sizes import dims_of, size_of
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


def compared(site: Site) -> Type:
    """The hook of ``==`` and ``!=`` between ints, and between tuples."""
    comparison = site.ctx.context
    if isinstance(comparison, ComparisonExpr) and len(comparison.operands) == 2:
        left, right = (dims_of(site.reader, operand) for operand in comparison.operands)
        if len(left) == len(right):
            equate(site, zip(left, right, strict=True), comparison)
    return site.default


def equate(site: Site, pairs: Iterable[tuple[Dim, Dim]], comparison: Expression) -> None:
    """Leave the dims in sizes open that a program finds to be equal, in a comparison, though they are not the same."""
    function = site.api.scope.top_level_function()
    different = [pair for pair in pairs if None not in pair and pair[0] != pair[1]]
    for name in {name for pair in different for size in pair for name in SYMBOL.findall(str(size))}:
        variable = site.reader.symbols.variable(name)
        if variable is not None and function is not None:
            site.facts.equal_dims.add(variable, function, comparison)
