"""Calls of the program's own names for functions of JAX: ``activation = jax.nn.relu``, then ``activation(x)``."""

from __future__ import annotations

from collections.abc import Callable

from mypy.nodes import CallExpr, NameExpr, RefExpr, Var
from mypy.plugin import FunctionContext
from mypy.types import Type

from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.calls import function_callback
from jaxtyping_core_mypy.convert import only_binding
from jaxtyping_core_mypy.engine import Engine
from jaxtyping_core_mypy.named_dims import check_call


def call_callback(engine: Engine) -> Callable[[FunctionContext], Type]:
    """The hook of calling anything that is not JAX's."""

    def callback(ctx: FunctionContext) -> Type:
        path = _path(ctx)
        return check_call(ctx) if path is None else function_callback(engine, path)(ctx)

    return callback


def _path(ctx: FunctionContext) -> str | None:
    """The path of the function of JAX that the callee is a name for, and was never a name for another."""
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    if not isinstance(callee, NameExpr) or not isinstance(callee.node, Var):
        return None
    binding = only_binding(ctx.api, callee)
    if binding is None or binding.is_part or not isinstance(binding.value, RefExpr):
        return None
    return names.public_path(binding.value.fullname)
