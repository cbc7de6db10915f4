"""``jax.grad`` and ``jax.value_and_grad`` of the program's functions: what they return follows from the signature.

As in `control_flow`, the stubs' overloads are not seen under the plugin, for the time that mypy spends on them.
"""

from __future__ import annotations

from collections.abc import Callable

from mypy.nodes import ARG_OPT, ARG_POS, Expression, IntExpr, NameExpr
from mypy.plugin import FunctionContext
from mypy.types import CallableType, Instance, Parameters, TupleType, Type, get_proper_type

from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.calls import function_callback
from jaxtyping_core_mypy.control_flow import traced
from jaxtyping_core_mypy.convert import is_array
from jaxtyping_core_mypy.engine import Engine

#: The functions, with whether they return the value as well.
FUNCTIONS = {"jax.grad": False, "jax.value_and_grad": True}
FLAGS = {"builtins.True": True, "builtins.False": False}


def gradient_callback(engine: Engine, path: str) -> Callable[[FunctionContext], Type]:
    """The hook of the function at the dotted `path`, one of `FUNCTIONS`."""
    evaluated, with_value = function_callback(engine, path), FUNCTIONS[path]

    def callback(ctx: FunctionContext) -> Type:
        typ = evaluated(ctx)
        function = _function(ctx)
        if typ is not ctx.default_return_type or function is None:
            return typ
        result = _result(ctx, function, with_value)
        if result is None:
            return typ
        accepted = Parameters(function.arg_types, function.arg_kinds, function.arg_names)
        return Instance(engine.find_class(names.TRANSFORMED), [accepted, result])

    return callback


def _given(ctx: FunctionContext, parameter: str) -> tuple[list[Expression], list[Type]]:
    index = ctx.callee_arg_names.index(parameter)
    return ctx.args[index], ctx.arg_types[index]


def _function(ctx: FunctionContext) -> CallableType | None:
    """The function that is differentiated, if its types do not depend on how it is called."""
    functions = [get_proper_type(typ) for typ in _given(ctx, "fun")[1]]
    function = functions[0] if len(functions) == 1 else None
    return function if isinstance(function, CallableType) and not function.variables else None


def _result(ctx: FunctionContext, function: CallableType, with_value: bool) -> Type | None:
    """What the derivative returns; None where it is not known."""
    position, has_aux = _position(_given(ctx, "argnums")[0]), _flag(_given(ctx, "has_aux")[0])
    gradient = None if position is None else _gradient(function, position)
    if gradient is None or has_aux is None:
        return None
    value = traced(function.ret_type)
    if not has_aux:
        return _pair(ctx, value, gradient) if with_value else gradient
    pair = get_proper_type(value)
    if not isinstance(pair, TupleType) or len(pair.items) != 2:
        return None
    return _pair(ctx, pair, gradient) if with_value else _pair(ctx, gradient, pair.items[1])


def _position(argnums: list[Expression]) -> int | None:
    if not argnums:
        return 0
    return argnums[0].value if isinstance(argnums[0], IntExpr) else None


def _flag(exprs: list[Expression]) -> bool | None:
    if not exprs:
        return False
    return FLAGS.get(exprs[0].fullname) if isinstance(exprs[0], NameExpr) else None


def _gradient(function: CallableType, position: int) -> Type | None:
    """The gradient with respect to an argument; None where the argument may be a number, which arrays replace."""
    if position >= len(function.arg_types) or function.arg_kinds[position] not in (ARG_POS, ARG_OPT):
        return None
    typ = get_proper_type(function.arg_types[position])
    if is_array(typ):
        return typ
    known = isinstance(typ, (Instance, TupleType)) and traced(typ) == typ
    return typ if known else None


def _pair(ctx: FunctionContext, *items: Type) -> Type:
    return TupleType(
        list(items),
        ctx.api.named_generic_type("builtins.tuple", [ctx.api.named_generic_type("builtins.object", [])]),
    )
