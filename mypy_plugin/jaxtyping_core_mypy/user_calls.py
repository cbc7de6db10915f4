"""Calls of the program's own functions and methods: sizes of results by arithmetic, and containers that are changed."""

from __future__ import annotations

from mypy.nodes import CallExpr, Decorator, FuncDef, NameExpr, RefExpr

from jaxtyping_core_mypy.arguments import arguments_of
from jaxtyping_core_mypy.changes import changes
from jaxtyping_core_mypy.containers import forget
from jaxtyping_core_mypy.convert import Type, is_container, is_wide
from jaxtyping_core_mypy.convert.dim_strings import with_open_sizes
from jaxtyping_core_mypy.site import Site


def call(site: Site) -> Type:
    """The hook of calling anything that is not JAX's."""
    _forget_changed(site)
    return with_open_sizes(site.ctx, site.default)


def method(site: Site) -> Type:
    """The hook of calling a method of an object of the program's, or of an installed package's."""
    return with_open_sizes(site.ctx, site.default)


def _forget_changed(site: Site) -> None:
    """What is known of each item of a container ends where a function is called that changes it."""
    for parameter, expression, typ, _, _ in arguments_of(site.ctx):
        if (
            parameter is not None
            and isinstance(expression, NameExpr)
            and is_container(typ)
            and not is_wide(typ)
        ):
            callee = _callee(site)
            if callee is not None and changes(callee, parameter):
                forget(site, expression)


def _callee(site: Site) -> FuncDef | None:
    """The program's function that is called."""
    callee = site.ctx.context.callee if isinstance(site.ctx.context, CallExpr) else None
    node = callee.node if isinstance(callee, RefExpr) else None
    node = node.func if isinstance(node, Decorator) else node
    return node if isinstance(node, FuncDef) else None
