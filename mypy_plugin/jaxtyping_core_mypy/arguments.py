"""The arguments of a call as values."""

from __future__ import annotations

from typing import Any

from mypy.nodes import (
    ARG_NAMED,
    ARG_POS,
    ArgKind,
    CallExpr,
    DictExpr,
    Expression,
    LambdaExpr,
)

from jaxtyping_core.domain.values import LAYER, Anything, Key, Value
from jaxtyping_core.domain.values import Array as ArrayValue
from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert import Kinds, Type, is_any, is_array, kinds_for
from jaxtyping_core_mypy.site import Site

#: Expressions that are not looked at again for parts that are not known.
WITHOUT_PARTS = (CallExpr, LambdaExpr, DictExpr)
Arguments = tuple[list[Value], dict[str, Value]]
#: An argument: the parameter that it is for, how it is written, its type, its kind and its keyword.
Argument = tuple[str | None, Expression, Type, ArgKind, str | None]


def bind(site: Site, keys: bool = False, function: str | None = None) -> Arguments | None:
    """The values of the arguments as the call passes them; None if one of them is not known, or starred.

    With `keys`, what is given for a parameter called ``key`` is a random key, typed or raw: no result depends on which.
    With the path of a `function` of JAX, that nothing is known of an argument leaves what it may be.
    """
    args: list[Value] = []
    kwargs: dict[str, Value] = {}
    for formal, expr, typ, kind, name in arguments_of(site.ctx):
        with site.reader.expecting(None if function is None else ()):
            value = site.reader.argument(expr, typ)
        if value is None and function is not None and (is_any(typ) or not isinstance(expr, WITHOUT_PARTS)):
            with site.reader.expecting(_kinds(site, function, formal)):
                value = site.reader.argument(expr, typ)
        if keys and formal == "key" and (is_array(typ) or is_any(typ)) and _is_key(value):
            value = Key()
        if value is None:
            return None
        if kind == ARG_POS:
            args.append(value)
        elif kind == ARG_NAMED and name is not None:
            kwargs[name] = value
        else:
            return None
    return args, kwargs


def _kinds(site: Site, function: str, parameter: str | None) -> Kinds:
    """What may be passed for a parameter: what is no array of JAX may be one of the layer, which has other rules."""
    if site.system != "jax" or function.startswith(LAYER):
        return ()
    return kinds_for(function, parameter)


def _is_key(value: Value | None) -> bool:
    """Whether a random key may be of any kind: a raw one of integers is only raw."""
    if isinstance(value, ArrayValue):
        return value.dtype is None or (value.shape is None and value.dtype == names.KEY)
    return value is None or isinstance(value, Anything)


def arguments_of(ctx: Any) -> list[Argument]:
    """The arguments in the order of the call, each once (a starred one is for several parameters)."""
    groups = zip(ctx.callee_arg_names, ctx.args, ctx.arg_types, ctx.arg_kinds, ctx.arg_names, strict=True)
    by_expression: dict[int, Argument] = {}
    for formal, exprs, types, kinds, actual_names in groups:
        if not exprs:  # as for most parameters
            continue
        for expr, typ, kind, name in zip(exprs, types, kinds, actual_names, strict=True):
            by_expression.setdefault(id(expr), (formal, expr, typ, kind, name))
    if not isinstance(ctx.context, CallExpr) or {id(arg) for arg in ctx.context.args} != set(by_expression):
        return list(by_expression.values())
    return [by_expression[id(arg)] for arg in ctx.context.args]


def types_for(ctx: Any, parameter: str) -> list[Type]:
    """The types of what is passed for a parameter."""
    groups = zip(ctx.callee_arg_names, ctx.arg_types, strict=True)
    return [typ for name, types in groups if name == parameter for typ in types]


def expressions_for(ctx: Any, parameter: str) -> list[Expression]:
    """What is passed for a parameter, as it is written."""
    groups = zip(ctx.callee_arg_names, ctx.args, strict=True)
    return [expr for name, exprs in groups if name == parameter for expr in exprs]
