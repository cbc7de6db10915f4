"""Unpacking: a known number of items and another number of targets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mypy.nodes import Context, Expression, ListExpr, StarExpr, TupleExpr

from jaxtyping_core.domain.values import Array, Value
from jaxtyping_core.evaluation.protocol import UNPACKED
from jaxtyping_core_mypy import errors
from jaxtyping_core_mypy.facts import ModuleFacts
from jaxtyping_core_mypy.site import Site
from jaxtyping_core_mypy.spelling import spell_value


def targets_of(facts: ModuleFacts, value: Context) -> Sequence[Expression] | None:
    """The targets that the expression `value` is unpacked to; None where it is not."""
    return next((parts for parts in map(_parts, facts.targets_of(value)) if parts is not None), None)


def targets_beside_star(facts: ModuleFacts, value: Context) -> int | None:
    """The number of targets besides the starred one; None where `value` is unpacked to no such targets."""
    targets = targets_of(facts, value) or []
    return len(targets) - 1 if any(isinstance(target, StarExpr) for target in targets) else None


def check(site: Site, value: Value, count: int) -> None:
    """Report an assignment of the `count` items of `value` to another number of targets."""
    _compare(site, value, count, targets_of(site.facts, site.ctx.context))


def check_rows(site: Site, array: Array) -> None:
    """The same of an array that is unpacked or gone over, and of its rows where these are unpacked in turn."""
    _check(site, array, targets_of(site.facts, site.ctx.context))
    target = site.facts.target_over(site.ctx.context)
    if target is not None and array.shape and array.shape[0] != 0:
        _check(site, _row(array), _parts(target))


def _check(site: Site, array: Array, targets: Sequence[Expression] | None) -> None:
    if not array.shape or targets is None:
        return
    if isinstance(array.shape[0], int) and not _compare(site, array, array.shape[0], targets):
        return
    for target in targets:
        _check(site, _row(array), _parts(target))


def _compare(site: Site, value: Value, count: int, targets: Sequence[Expression] | None) -> bool:
    """Whether the number of targets is right, or there are none."""
    starred = sum(isinstance(target, StarExpr) for target in targets or ())
    if targets is None or (count >= len(targets) - 1 if starred else count == len(targets)):
        return True
    message = UNPACKED.format(value=spell_value(value), count=count, targets=len(targets))
    site.fail(message, errors.ARRAY_SHAPE)
    return False


def _row(array: Array) -> Array:
    return replace(array, shape=(array.shape or ())[1:])


def _parts(target: Expression) -> Sequence[Expression] | None:
    return target.items if isinstance(target, (TupleExpr, ListExpr)) else None
