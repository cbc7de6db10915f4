"""Comparisons that say that dims are equal: ``if n == m:``, ``assert x.shape == y.shape``."""

from __future__ import annotations

from collections.abc import Iterable

from mypy.nodes import ComparisonExpr, Expression

from jaxtyping_core.domain.dims import Dim
from jaxtyping_core_mypy.convert import Type
from jaxtyping_core_mypy.convert.abstract import SYMBOL
from jaxtyping_core_mypy.convert.written_sizes import dims_of
from jaxtyping_core_mypy.site import Site


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
