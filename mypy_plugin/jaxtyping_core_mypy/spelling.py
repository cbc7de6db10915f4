"""Expressions and values as users read them, for messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mypy.nodes import CallExpr, Context, Expression, IndexExpr, MemberExpr, NameExpr

from jaxtyping_core.domain.formatting import spell_array
from jaxtyping_core.domain.values import (
    NONE,
    Array,
    Builtin,
    Complex,
    Dots,
    DType,
    Either,
    List,
    Named,
    Scalar,
    Size,
    Slice,
    Static,
    Tuple,
    Value,
)
from jaxtyping_core_mypy.convert import node_of


def spell(expr: Context) -> str:
    """A callee as the user wrote it; parts that are not names become an ellipsis."""
    if isinstance(expr, CallExpr):
        return spell(expr.callee)
    if isinstance(expr, NameExpr):
        return expr.name
    if isinstance(expr, MemberExpr):
        return f"{_spell_inner(expr.expr)}.{expr.name}"
    return "..."


def _spell_inner(expr: Expression) -> str:
    if isinstance(expr, (NameExpr, MemberExpr)):
        return spell(expr)
    if isinstance(expr, IndexExpr):
        return f"{_spell_inner(expr.base)}[...]"
    return "(...)"


def describe(array: Array) -> str:
    """An array: ``float32[B, 3]``."""
    return spell_array(node_of(array), array.shape)


def spell_value(value: Value) -> str:
    """A value: ``float32[B, 3]``, ``axis`` values, dtype names."""
    match value:
        case Array():
            return describe(value)
        case Static():
            return repr(value.value)
        case Complex():
            return repr(complex(value.real, value.imag)) if value.real else f"{value.imag:g}j"
        case Tuple(items=(item,)):
            return f"({spell_value(item)},)"
        case Tuple() | List():
            inner = ", ".join(map(spell_value, value.items))
            return f"({inner})" if isinstance(value, Tuple) else f"[{inner}]"
        case Either():
            return " | ".join(map(spell_value, value.members))
        case Slice():
            start, stop, step = (
                "" if part == NONE else spell_value(part) for part in (value.start, value.stop, value.step)
            )
            return f"{start}:{stop}" + (f":{step}" if step else "")
        case Dots():
            return "..."
        case (
            Scalar(kind=text)
            | Size(expression=text)
            | DType(name=text)
            | Builtin(name=text)
            | Named(path=text)
        ):
            return text
    return "?"


def spell_arguments(args: Sequence[Value], kwargs: Mapping[str, Value]) -> str:
    positional = [spell_value(value) for value in args]
    return ", ".join(positional + [f"{name}={spell_value(value)}" for name, value in kwargs.items()])
