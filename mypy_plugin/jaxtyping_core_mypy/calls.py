"""Calls of JAX's functions and of an array's methods and attributes, answered by abstract evaluation.

Every callback falls back to the stub's type: where an argument is not known, where JAX cannot tell, and
where evaluation is not to be had.
"""

from __future__ import annotations

from collections.abc import Callable

from mypy.nodes import ARG_NAMED, ARG_POS, CallExpr, IndexExpr, MemberExpr
from mypy.plugin import AttributeContext, FunctionContext, MethodContext
from mypy.types import Instance, Type, get_proper_type

from jaxtyping_core.evaluation.protocol import Answer, Value
from jaxtyping_core_mypy import errors, names
from jaxtyping_core_mypy.convert import Reader, is_array
from jaxtyping_core_mypy.engine import Engine
from jaxtyping_core_mypy.spelling import spell, spell_arguments, spell_value

Arguments = tuple[list[Value], dict[str, Value]]
CallContext = FunctionContext | MethodContext


def function_callback(engine: Engine, path: str) -> Callable[[FunctionContext], Type]:
    """The hook of the JAX function at the dotted `path`."""
    keys = path.rpartition(".")[0] in names.KEYED_MODULES

    def callback(ctx: FunctionContext) -> Type:
        reader = Reader(ctx.api, engine.x64)
        arguments = bind(ctx, reader, keys)
        if arguments is None:
            return ctx.default_return_type
        args, kwargs = arguments
        call = (f"{spell(ctx.context)}(", ")")
        return _answer(ctx, engine, reader, engine.ask(path, args, kwargs), call, arguments)

    return callback


def ufunc_callback(engine: Engine, path: str) -> Callable[[MethodContext], Type]:
    """The hook of calling the ufunc object at the dotted `path`."""
    call = function_callback(engine, path)

    def callback(ctx: MethodContext) -> Type:
        return call(ctx)  # type: ignore[arg-type]  # a MethodContext has every field of a FunctionContext

    return callback


def method_callback(engine: Engine, name: str) -> Callable[[MethodContext], Type]:
    """The hook of the array method `name`."""

    def callback(ctx: MethodContext) -> Type:
        reader = Reader(ctx.api, engine.x64)
        array = reader.of_type(ctx.type)
        arguments = bind(ctx, reader)
        if array is None or arguments is None:
            return ctx.default_return_type
        args, kwargs = arguments
        answer = engine.ask(f"method:{name}", [array, *args], kwargs)
        call = _spell_method(array, name)
        return _answer(ctx, engine, reader, answer, call, arguments)

    return callback


def attribute_callback(engine: Engine, name: str) -> Callable[[AttributeContext], Type]:
    """The hook of the array attribute `name`."""

    def callback(ctx: AttributeContext) -> Type:
        reader = Reader(ctx.api, engine.x64)
        array = reader.of_type(ctx.type)
        if array is None or ctx.is_lvalue:
            return ctx.default_attr_type
        answer = engine.ask(f"attribute:{name}", [array])
        if answer.result is not None:
            return engine.writer(reader).value(answer.result, ctx.default_attr_type)
        if answer.error is not None:
            call = f"{spell_value(array)}.{name}"
            ctx.api.fail(_refusal(call, answer), ctx.context, code=errors.BY_KIND[str(answer.kind)])
        return ctx.default_attr_type

    return callback


def update_callback(engine: Engine, name: str) -> Callable[[MethodContext], Type]:
    """The hook of ``x.at[index].NAME(values)``, whose index only the syntax tree still knows."""

    def callback(ctx: MethodContext) -> Type:
        call = ctx.context
        if not (isinstance(call, CallExpr) and isinstance(call.callee, MemberExpr)):
            return ctx.default_return_type
        target = call.callee.expr
        if not (isinstance(target, IndexExpr) and isinstance(target.base, MemberExpr)):
            return ctx.default_return_type
        reader = Reader(ctx.api, engine.x64)
        array = reader.of_type(ctx.api.get_expression_type(target.base.expr))
        index = reader.argument(target.index, ctx.api.get_expression_type(target.index))
        arguments = bind(ctx, reader)
        if array is None or index is None or arguments is None:
            return ctx.default_return_type
        args, kwargs = arguments
        answer = engine.ask(f"update:{name}", [array, index, *args], kwargs)
        spelled = (f"{spell_value(array)}.at[{spell_value(index)}].{name}(", ")")
        return _answer(ctx, engine, reader, answer, spelled, arguments)

    return callback


def iteration_callback(engine: Engine) -> Callable[[MethodContext], Type]:
    """The hook of iterating over an array: its rows."""

    def callback(ctx: MethodContext) -> Type:
        reader = Reader(ctx.api, engine.x64)
        array = reader.of_type(ctx.type)
        default = get_proper_type(ctx.default_return_type)
        if array is None or not isinstance(default, Instance) or len(default.args) != 1:
            return ctx.default_return_type
        answer = engine.ask("method:__getitem__", [array, ["static", 0]])
        if answer.result is None:
            return ctx.default_return_type
        return default.copy_modified(args=[engine.writer(reader).value(answer.result, default.args[0])])

    return callback


def bind(ctx: CallContext, reader: Reader, keys: bool = False) -> Arguments | None:
    """The values of the arguments as the call passes them; None if one of them is not known.

    With `keys`, an array given for a parameter called ``key`` is a random key, typed or raw: no result
    depends on which.
    """
    args: list[Value] = []
    kwargs: dict[str, Value] = {}
    groups = zip(ctx.callee_arg_names, ctx.args, ctx.arg_types, ctx.arg_kinds, ctx.arg_names, strict=True)
    for formal, exprs, types, kinds, actual_names in groups:
        for expr, typ, kind, name in zip(exprs, types, kinds, actual_names, strict=True):
            is_key = keys and formal == "key" and is_array(typ)
            value = ["key"] if is_key else reader.argument(expr, typ)
            if value is None:
                return None
            if kind == ARG_POS:
                args.append(value)
            elif kind == ARG_NAMED and name is not None:
                kwargs[name] = value
            else:
                return None
    return args, kwargs


def _answer(
    ctx: CallContext,
    engine: Engine,
    reader: Reader,
    answer: Answer,
    call: tuple[str, str],
    arguments: Arguments,
) -> Type:
    if answer.result is not None:
        return engine.writer(reader).value(answer.result, ctx.default_return_type)
    if answer.error is not None:
        args, kwargs = arguments
        if call[1] == "]" and args[0][0] == "tuple":  # x[0, 1] is x[(0, 1)]
            args = args[0][1]
        spelled = spell_arguments(args, kwargs).join(call)
        ctx.api.fail(_refusal(spelled, answer), ctx.context, code=errors.BY_KIND[str(answer.kind)])
    return ctx.default_return_type


def _refusal(call: str, answer: Answer) -> str:
    return errors.REFUSED.format(call=call, reason=errors.sentence(str(answer.error)))


def _spell_method(array: Value, name: str) -> tuple[str, str]:
    """What stands before and after the arguments of a method call."""
    if name == "__getitem__":
        return f"{spell_value(array)}[", "]"
    return f"{spell_value(array)}.{name}(", ")"
