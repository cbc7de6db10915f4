"""Calls of the program's own functions: under names for functions of JAX, and with named dims."""

from __future__ import annotations

from mypy.nodes import CallExpr, NameExpr, RefExpr, Var

from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.calls import function
from jaxtyping_core_mypy.convert import Type
from jaxtyping_core_mypy.named_dims import check_call
from jaxtyping_core_mypy.site import Site


def call(site: Site) -> Type:
    """The hook of calling anything that is not JAX's: ``activation = jax.nn.relu``, then ``activation(x)``."""
    path = _path(site)
    return check_call(site) if path is None else function(site, path)


def _path(site: Site) -> str | None:
    """The path of the function of JAX that the callee is a name for, and was never a name for another."""
    callee = site.ctx.context.callee if isinstance(site.ctx.context, CallExpr) else None
    if not isinstance(callee, NameExpr) or not isinstance(callee.node, Var):
        return None
    binding = site.facts.only_binding(site.api, callee)
    if binding is None or binding.is_part or not isinstance(binding.value, RefExpr):
        return None
    return names.public_path(binding.value.fullname)
