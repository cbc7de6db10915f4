"""Calls of the program's own functions and methods: under names for functions of JAX, and with named dims."""

from __future__ import annotations

from mypy.nodes import CallExpr, Decorator, FuncDef, NameExpr, RefExpr, Var

from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.arguments import arguments_of
from jaxtyping_core_mypy.calls import function
from jaxtyping_core_mypy.changes import changes
from jaxtyping_core_mypy.containers import forget
from jaxtyping_core_mypy.convert import Type, is_display
from jaxtyping_core_mypy.convert.dim_strings import with_sizes
from jaxtyping_core_mypy.named_dims import report_conflict
from jaxtyping_core_mypy.site import Site


def call(site: Site) -> Type:
    """The hook of calling anything that is not JAX's: ``activation = jax.nn.relu``, then ``activation(x)``."""
    path = _path(site)
    if path is not None:
        return function(site, path)
    _forget_changed(site)
    site.take(with_sizes(site.ctx, site.default, site.writer))
    report_conflict(site)
    return site.default


def method(site: Site) -> Type:
    """The hook of calling a method of an object of the program's, or of an installed package's."""
    site.take(with_sizes(site.ctx, site.default, site.writer))
    report_conflict(site)
    return site.default


def _forget_changed(site: Site) -> None:
    """What is known of each item of a container ends where a function is called that changes it."""
    for parameter, expression, typ, _, _ in arguments_of(site.ctx):
        if parameter is not None and isinstance(expression, NameExpr) and is_display(typ):
            callee = _callee(site)
            if callee is not None and changes(callee, parameter):
                forget(site, expression)


def _path(site: Site) -> str | None:
    """The path of the function of JAX that the callee is a name for, and was never a name for another."""
    callee = site.ctx.context.callee if isinstance(site.ctx.context, CallExpr) else None
    if not isinstance(callee, NameExpr) or not isinstance(callee.node, Var):
        return None
    binding = site.facts.only_binding(site.api, callee)
    if binding is None or binding.is_part or not isinstance(binding.value, RefExpr):
        return None
    return names.public_path(binding.value.fullname)


def _callee(site: Site) -> FuncDef | None:
    """The program's function that is called."""
    callee = site.ctx.context.callee if isinstance(site.ctx.context, CallExpr) else None
    node = callee.node if isinstance(callee, RefExpr) else None
    node = node.func if isinstance(node, Decorator) else node
    return node if isinstance(node, FuncDef) else None
