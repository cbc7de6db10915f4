"""Sizes that arrays answer: ``x.shape``, ``x.ndim``, ``x.size`` and ``len(x)``.

The types of the last three are plain ints, in which the plugin notes the value: a literal there makes mypy skip
branches (``if x.ndim == 2``) without a word.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from mypy.nodes import AssignmentStmt, Context, ListExpr, MypyFile, StarExpr, TupleExpr
from mypy.plugin import AttributeContext, FunctionContext
from mypy.types import Type

from jaxtyping_core_mypy.convert import Dim, Reader, read_array
from jaxtyping_core_mypy.engine import Engine
from jaxtyping_core_mypy.global_names import statements_of


def _size(dims: tuple[Dim, ...]) -> Dim:
    if None in dims:
        return None
    numbers = [dim for dim in dims if isinstance(dim, int)]
    if len(numbers) == len(dims):
        return math.prod(numbers)
    return " * ".join(f"({dim})" for dim in dims)


ATTRIBUTES: dict[str, Callable[[tuple[Dim, ...]], Dim]] = {"ndim": len, "size": _size}


class _Unpacked:
    """The values that a module unpacks to targets of which one is starred, with how many others there are."""

    def __init__(self) -> None:
        self._defs: Any = None
        self._others: dict[int, int] = {}

    def others(self, tree: MypyFile, value: Context) -> int | None:
        """The number of targets besides the starred one; None where `value` is unpacked to no such targets."""
        if self._defs is not tree.defs:
            self._defs = tree.defs
            self._others = {
                id(statement.rvalue): len(target.items) - 1
                for statement in statements_of(tree)
                if isinstance(statement, AssignmentStmt)
                for target in statement.lvalues
                if isinstance(target, (TupleExpr, ListExpr))
                and any(isinstance(item, StarExpr) for item in target.items)
            }
        return self._others.get(id(value))


def shape_callback(engine: Engine) -> Callable[[AttributeContext], Type]:
    """The hook of the array attribute `shape`."""
    unpacked = _Unpacked()

    def callback(ctx: AttributeContext) -> Type:
        reader = Reader(ctx.api, engine.x64)
        array = read_array(ctx.type, reader.symbols)
        if array is None or not array.dims:  # to mypy, a loop over the empty tuple is one over nothing
            return ctx.default_attr_type
        tree = ctx.api.tree  # type: ignore[attr-defined]  # the checker's
        if unpacked.others(tree, ctx.context) == len(array.dims):  # ``*batch, d = x.shape`` of no batch
            return ctx.default_attr_type
        return engine.writer(reader).shape(array.dims)

    return callback


def attribute_callback(engine: Engine, name: str) -> Callable[[AttributeContext], Type]:
    """The hook of the array attribute `name`."""

    def callback(ctx: AttributeContext) -> Type:
        return _noted(engine, Reader(ctx.api, engine.x64), ctx.type, ATTRIBUTES[name], ctx.default_attr_type)

    return callback


def len_callback(engine: Engine) -> Callable[[FunctionContext], Type]:
    """The hook of ``len``."""

    def callback(ctx: FunctionContext) -> Type:
        if not ctx.arg_types or not ctx.arg_types[0]:
            return ctx.default_return_type
        reader = Reader(ctx.api, engine.x64)
        return _noted(engine, reader, ctx.arg_types[0][0], _first, ctx.default_return_type)

    return callback


def _first(dims: tuple[Dim, ...]) -> Dim:
    return dims[0] if dims else None


def _noted(
    engine: Engine, reader: Reader, array: Type, compute: Callable[[tuple[Dim, ...]], Dim], default: Type
) -> Type:
    """`default`, or where it is known the int that `compute` makes of the array's dims."""
    known = read_array(array, reader.symbols)
    size = None if known is None or known.dims is None else compute(known.dims)
    return default if size is None else engine.writer(reader).size(size)
