"""Expressions and values as users read them, for messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mypy.nodes import CallExpr, Context, Expression, IndexExpr, MemberExpr, NameExpr

from jaxtyping_core.evaluation.protocol import Value
from jaxtyping_core_mypy.convert import ArrayType, weak_name

#: Values that are all spelled the same.
SIMPLE = {"ellipsis": "...", "key": "key"}


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


def spell_value(value: Value) -> str:
    """A value of the evaluation protocol: ``float32[B, 3]``, ``axis`` values, dtype names."""
    tag, *rest = value
    if tag == "layer":
        return spell_value(rest[0])
    if tag == "array":
        dtype, weak, dims = rest
        shape = None if dims is None else tuple(dims)
        return ArrayType(weak_name(dtype) if weak else dtype, shape).describe()
    if tag in SIMPLE:
        return SIMPLE[tag]
    if tag == "complex":
        return repr(complex(*rest)) if rest[0] else f"{rest[1]:g}j"
    if tag == "dict":
        return f"{{{', '.join(f'{spell_value(key)}: {spell_value(item)}' for key, item in rest[0])}}}"
    if tag == "lambda":
        return f"lambda {', '.join(rest[0])}: ..."
    if tag == "call":
        return f"{rest[0].rpartition(':')[2]}(...)"
    if tag in ("tuple", "list"):
        inner = ", ".join(spell_value(item) for item in rest[0])
        if tag == "list":
            return f"[{inner}]"
        return f"({inner},)" if len(rest[0]) == 1 else f"({inner})"
    if tag == "either":
        return " | ".join(spell_value(member) for member in rest[0])
    if tag == "many":
        return f"[{spell_value(rest[1])}, ...]" if rest[0] == "list" else f"({spell_value(rest[1])}, ...)"
    if tag == "slice":
        start, stop, step = ("" if part == ["static", None] else spell_value(part) for part in rest)
        return f"{start}:{stop}" + (f":{step}" if step else "")
    return repr(rest[0]) if tag == "static" else str(rest[0])


def spell_arguments(args: Sequence[Value], kwargs: Mapping[str, Value]) -> str:
    positional = [spell_value(value) for value in args]
    return ", ".join(positional + [f"{name}={spell_value(value)}" for name, value in kwargs.items()])
