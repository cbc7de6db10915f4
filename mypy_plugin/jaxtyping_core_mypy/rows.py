"""``zip(xs, ys)`` over arrays: tuples of their rows."""

from __future__ import annotations

from collections.abc import Callable

from mypy.nodes import ARG_POS
from mypy.plugin import FunctionContext
from mypy.types import Instance, TupleType, Type, get_proper_type

from jaxtyping_core_mypy import alternatives
from jaxtyping_core_mypy.convert import Reader, is_array
from jaxtyping_core_mypy.engine import Engine


def zip_callback(engine: Engine) -> Callable[[FunctionContext], Type]:
    """The hook of ``zip``."""

    def callback(ctx: FunctionContext) -> Type:
        default = get_proper_type(ctx.default_return_type)
        items = get_proper_type(default.args[0]) if isinstance(default, Instance) and default.args else None
        given = [
            (typ, kind)
            for typs, kinds in zip(ctx.arg_types, ctx.arg_kinds, strict=True)
            for typ, kind in zip(typs, kinds, strict=True)
        ]
        types = [typ for typ, kind in given if kind == ARG_POS]
        if (
            not isinstance(default, Instance)
            or not isinstance(items, TupleType)
            or len(items.items) != len(types)
        ):
            return ctx.default_return_type
        rows = [_row(ctx, engine, typ, item) for typ, item in zip(types, items.items, strict=True)]
        return default.copy_modified(args=[items.copy_modified(items=rows)])

    return callback


def _row(ctx: FunctionContext, engine: Engine, iterable: Type, default: Type) -> Type:
    reader = Reader(ctx.api, engine.x64)
    array = reader.of_type(iterable) if is_array(iterable) else None
    if array is None:
        return default
    answer = alternatives.ask(engine, "method:__getitem__", [array, ["static", 0]])
    return default if answer.result is None else engine.writer(reader).value(answer.result, default)
