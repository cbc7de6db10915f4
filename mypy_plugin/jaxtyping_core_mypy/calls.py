"""Calls of JAX's functions and of an array's methods and attributes, answered by abstract evaluation.

Every callback falls back to the stub's type: where an argument is not known, where JAX cannot tell, and
where evaluation is not to be had.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from mypy.nodes import (
    ARG_NAMED,
    ARG_POS,
    ARG_STAR,
    ARG_STAR2,
    ArgKind,
    CallExpr,
    Expression,
    IndexExpr,
    MemberExpr,
    NameExpr,
    RefExpr,
)
from mypy.plugin import AttributeContext, FunctionContext, MethodContext
from mypy.types import AnyType, CallableType, Instance, Type, get_proper_type

from jaxtyping_core.evaluation.protocol import Answer, Value
from jaxtyping_core_mypy import alternatives, errors, names, reports
from jaxtyping_core_mypy.convert import Reader, is_array, is_unknown
from jaxtyping_core_mypy.engine import Engine
from jaxtyping_core_mypy.spelling import spell, spell_arguments, spell_value

#: Functions of Python whose result is an iterable of an array's rows, of any number of them.
ITERATES = ("list", "iter", "reversed", "enumerate")
#: ... and where each row is a part of the result: how many are looked at.
ROWS = ("tuple",)
MOST_ROWS = 64

Arguments = tuple[list[Value], dict[str, Value]]
CallContext = FunctionContext | MethodContext


def function_callback(engine: Engine, path: str) -> Callable[[CallContext], Type]:
    """The hook of the JAX function, or of calling the ufunc, at the dotted `path`."""
    keys = path.rpartition(".")[0] in names.KEYED_MODULES

    def callback(ctx: CallContext) -> Type:
        reader = Reader(ctx.api, engine.x64)
        arguments = bind(ctx, reader, keys)
        if arguments is None:
            return ctx.default_return_type
        args, kwargs = arguments
        call = (f"{spell(ctx.context)}(", ")")
        answer = alternatives.ask(engine, path, args, kwargs)
        typ = _answer(ctx, engine, reader, answer, call, arguments)
        # What is no array may be called later: how it was made says what that returns.
        if answer.result == ["unknown"] and (path in names.OF_FUNCTIONS or not _is_open(typ)):
            return engine.writer(reader).made(typ, ["call", path, args, kwargs])
        return typ

    return callback


def _is_open(typ: Type) -> bool:
    return isinstance(get_proper_type(typ), (AnyType, CallableType))


def value_callback(engine: Engine) -> Callable[[MethodContext], Type]:
    """The hook of calling an object that a function of JAX returned."""

    def callback(ctx: MethodContext) -> Type:
        reader = Reader(ctx.api, engine.x64)
        called = ctx.context.callee if isinstance(ctx.context, CallExpr) else ctx.context
        function = reader.argument(called, ctx.type) if isinstance(called, Expression) else None
        arguments = bind(ctx, reader, keys=True)
        if function is None or function[0] != "call" or arguments is None:
            return ctx.default_return_type
        args, kwargs = arguments
        inner = "(...)" if isinstance(called, CallExpr) else ""
        call = (f"{spell(called)}{inner}(", ")")
        return _answer(
            ctx, engine, reader, alternatives.ask(engine, "value", [function, *args], kwargs), call, arguments
        )

    return callback


def builtin_callback(engine: Engine, name: str) -> Callable[[FunctionContext], Type]:
    """The hook of a function of Python, for arrays."""

    def callback(ctx: FunctionContext) -> Type:
        types = [typ for types in ctx.arg_types for typ in types]
        if not types or not is_array(types[0]):
            return ctx.default_return_type
        reader = Reader(ctx.api, engine.x64)
        arguments = bind(ctx, reader)
        if arguments is None:
            return ctx.default_return_type
        if name in ITERATES or (name in ROWS and not _has_few_rows(arguments[0][0])):
            return _of_rows(ctx, engine, reader, arguments[0][0])
        answer = alternatives.ask(engine, f"builtin:{name}", *arguments)
        return _answer(ctx, engine, reader, answer, (f"{name}(", ")"), arguments)

    return callback


def _of_rows(ctx: CallContext, engine: Engine, reader: Reader, array: Value) -> Type:
    """The call's type, an iterable of one parameter, for the rows of `array`."""
    default = get_proper_type(ctx.default_return_type)
    if not isinstance(default, Instance) or len(default.args) != 1:
        return ctx.default_return_type
    answer = alternatives.ask(engine, "method:__getitem__", [array, ["static", 0]])
    if answer.result is None:
        return ctx.default_return_type
    return default.copy_modified(args=[engine.writer(reader).value(answer.result, default.args[0])])


def _has_few_rows(array: Value) -> bool:
    array = array[1] if array[0] == "layer" else array
    dims = (array[3] or []) if array[0] == "array" else []
    return bool(dims) and type(dims[0]) is int and dims[0] <= MOST_ROWS


def index_callback(engine: Engine) -> Callable[[MethodContext], Type]:
    """The hook of ``jnp.r_[...]`` and its like."""

    def callback(ctx: MethodContext) -> Type:
        base = ctx.context.base if isinstance(ctx.context, IndexExpr) else None
        path = names.public_path(base.fullname) if isinstance(base, RefExpr) else None
        reader = Reader(ctx.api, engine.x64)
        arguments = bind(ctx, reader)
        if path is None or arguments is None:
            return ctx.default_return_type
        answer = alternatives.ask(engine, "method:__getitem__", [["named", path], *arguments[0]])
        return _answer(ctx, engine, reader, answer, (f"{spell(ctx.context)}[", "]"), arguments)

    return callback


def ufunc_method_callback(engine: Engine, method: str) -> Callable[[MethodContext], Type]:
    """The hook of ``jnp.add.reduce`` and its like."""

    def callback(ctx: MethodContext) -> Type:
        callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
        ufunc = callee.expr if isinstance(callee, MemberExpr) else None
        path = names.public_path(ufunc.fullname) if isinstance(ufunc, RefExpr) else None
        if path is None:
            return ctx.default_return_type
        return function_callback(engine, f"{path}.{method}")(ctx)

    return callback


def method_callback(engine: Engine, name: str) -> Callable[[MethodContext], Type]:
    """The hook of the array method `name`."""

    def callback(ctx: MethodContext) -> Type:
        reader = Reader(ctx.api, engine.x64)
        array = reader.of_type(ctx.type)
        arguments = None if array is None else bind(ctx, reader)
        if array is None or arguments is None:
            return ctx.default_return_type
        args, kwargs = arguments
        answer = alternatives.ask(engine, f"method:{name}", [array, *args], kwargs)
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
        answer = alternatives.ask(engine, f"attribute:{name}", [array])
        if answer.result is not None:
            return engine.writer(reader).value(answer.result, ctx.default_attr_type)
        if answer.error is not None:
            call = f"{spell_value(array)}.{name}"
            reports.fail(ctx, _refusal(call, answer), errors.BY_KIND[str(answer.kind)])
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
        answer = alternatives.ask(engine, f"update:{name}", [array, index, *args], kwargs)
        spelled = (f"{spell_value(array)}.at[{spell_value(index)}].{name}(", ")")
        return _answer(ctx, engine, reader, answer, spelled, arguments)

    return callback


def iteration_callback(engine: Engine) -> Callable[[MethodContext], Type]:
    """The hook of iterating over an array: its rows."""

    def callback(ctx: MethodContext) -> Type:
        reader = Reader(ctx.api, engine.x64)
        array = reader.of_type(ctx.type)
        return ctx.default_return_type if array is None else _of_rows(ctx, engine, reader, array)

    return callback


def bind(ctx: CallContext, reader: Reader, keys: bool = False) -> Arguments | None:
    """The values of the arguments as the call passes them; None if one of them is not known.

    With `keys`, an array given for a parameter called ``key`` is a random key, typed or raw: no result
    depends on which.
    """
    args: list[Value] = []
    kwargs: dict[str, Value] = {}
    given = _given(ctx)
    if not keys and any(isinstance(expr, NameExpr) and is_unknown(typ) for _, expr, typ, _, _ in given):
        return None  # without a look at the others
    for formal, expr, typ, kind, name in given:
        value = reader.argument(expr, typ)
        if keys and formal == "key" and is_array(typ) and (value is None or None in value):
            value = ["key"]
        if value is None:
            return None
        if kind == ARG_POS:
            args.append(value)
        elif kind == ARG_STAR and value[0] in ("tuple", "list"):
            args.extend(cast("list[Value]", value[1]))
        elif kind == ARG_NAMED and name is not None:
            kwargs[name] = value
        elif kind == ARG_STAR2 and (keywords := _keywords(value)) is not None:
            kwargs.update(keywords)
        else:
            return None
    return args, kwargs


def _keywords(value: Value) -> dict[str, Value] | None:
    """A dict as keyword arguments; None if it is none, or its keys are no known texts."""
    pairs = cast("list[tuple[Value, Value]]", value[1]) if value[0] == "dict" else [(value, value)]
    texts = {key[1]: item for key, item in pairs if key[0] == "static" and type(key[1]) is str}
    return texts if len(texts) == len(pairs) else None


#: An argument: the parameter that it is for, how it is written, its type, its kind and its keyword.
Given = tuple[str | None, Expression, Type, ArgKind, str | None]


def _given(ctx: CallContext) -> list[Given]:
    """The arguments in the order of the call, each once (a starred one is for several parameters)."""
    groups = zip(ctx.callee_arg_names, ctx.args, ctx.arg_types, ctx.arg_kinds, ctx.arg_names, strict=True)
    found: dict[int, Given] = {}
    for formal, exprs, types, kinds, actual_names in groups:
        if not exprs:  # as for most parameters
            continue
        for expr, typ, kind, name in zip(exprs, types, kinds, actual_names, strict=True):
            found.setdefault(id(expr), (formal, expr, typ, kind, name))
    if not isinstance(ctx.context, CallExpr) or {id(arg) for arg in ctx.context.args} != set(found):
        return list(found.values())
    return [found[id(arg)] for arg in ctx.context.args]


def _answer(
    ctx: CallContext,
    engine: Engine,
    reader: Reader,
    answer: Answer,
    call: tuple[str, str],
    arguments: Arguments,
) -> Type:
    args, kwargs = arguments
    if answer.result is not None:
        typed = ["key"] not in (*args, *kwargs.values())
        result = answer.result if typed else _without_keys(answer.result)
        return engine.writer(reader).value(result, ctx.default_return_type)
    if answer.error is not None:
        if call[1] == "]" and args[0][0] == "tuple":  # x[0, 1] is x[(0, 1)]
            args = args[0][1]
        spelled = spell_arguments(args, kwargs).join(call)
        reports.fail(ctx, _refusal(spelled, answer), errors.BY_KIND[str(answer.kind)])
    return ctx.default_return_type


def _without_keys(result: Value) -> Value:
    """`result` of a call with a key of unknown kind: a raw one gives raw ones."""
    if result[0] in ("tuple", "list"):
        return [result[0], [_without_keys(item) for item in result[1]]]
    return ["unknown"] if result[0] == "array" and result[1] == names.KEY else result


def _refusal(call: str, answer: Answer) -> str:
    return errors.REFUSED.format(call=call, reason=errors.sentence(str(answer.error)))


def _spell_method(array: Value, name: str) -> tuple[str, str]:
    """What stands before and after the arguments of a method call."""
    if name == "__getitem__":
        return f"{spell_value(array)}[", "]"
    return f"{spell_value(array)}.{name}(", ")"
