"""Calls of the program's own functions whose annotations leave something open: they are evaluated from their source."""

from __future__ import annotations

from mypy.nodes import CallExpr, RefExpr

from jaxtyping_core.evaluation.values import NONE
from jaxtyping_core_mypy import errors
from jaxtyping_core_mypy.arguments import bind_to_own
from jaxtyping_core_mypy.convert import Type, has_any, refines
from jaxtyping_core_mypy.site import Site
from jaxtyping_core_mypy.spelling import spell, spell_arguments


def call(site: Site) -> Type:
    """What such a call gives, where that is more than the function declares."""
    callee = site.ctx.context.callee if isinstance(site.ctx.context, CallExpr) else None
    if not isinstance(callee, RefExpr) or not has_any(site.default):
        return site.default
    function = site.reader.own(callee)
    if function is None:
        return site.default
    args, kwargs = bind_to_own(site)
    if not (args or kwargs or site.facts.is_used(site.ctx.context)):  # such as ``main()``
        return site.default
    answer = site.ask("value", [function, *args], kwargs)
    if answer.error is not None and (args or kwargs):  # without arguments, it is not the call that is wrong
        spelled = f"{spell(callee)}({spell_arguments(args, kwargs)})"
        message = errors.REFUSED.format(call=spelled, reason=errors.sentence(answer.error))
        site.fail(message, errors.BY_KIND[str(answer.kind)])
    if answer.result is None or answer.result == NONE:
        return site.default
    typ = site.writer.value(answer.result, site.default)
    return typ if refines(typ, site.default) else site.default
