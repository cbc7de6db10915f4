"""Comparisons: ``x < y``, ``x is y``, ``x in y``, of values of which not all may be known."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from ..libraries.trust import gate
from ..scopes import Scope
from ..values import aliases, arrays
from ..values.callables import Cursor
from ..values.records import Record
from ..values.unknowns import (
    UNKNOWN,
    AbstractScalar,
    Nullable,
    is_dim,
    is_endless,
    is_unknown,
)
from .operators import COMPARISONS
from .tracing import decided, sought
from .truth import truth

if TYPE_CHECKING:
    from ..interpreter import Interpreter


def compared(interpreter: Interpreter, node: ast.Compare, scope: Scope) -> Any:
    left = interpreter.value(node.left, scope)
    result: Any = True
    for op, each in zip(node.ops, node.comparators, strict=True):
        right = interpreter.value(each, scope)
        interpreter.node = node
        result = compare(interpreter, op, left, right)
        if len(node.ops) > 1:
            is_asked = each is not node.comparators[-1]
            outcome = decided(interpreter, result, "logical", node) if is_asked else truth(result)
            if outcome is False:
                return False
            if outcome is None:
                return AbstractScalar(bool)
        left = right
    return result


def compare(interpreter: Interpreter, op: ast.cmpop, left: Any, right: Any) -> Any:
    """One comparison."""
    if isinstance(op, (ast.Is, ast.IsNot)):
        same = identical(left, right)
        return AbstractScalar(bool) if same is None else same == isinstance(op, ast.Is)
    if isinstance(op, (ast.In, ast.NotIn)):
        is_in = contains(interpreter, left, right)
        return AbstractScalar(bool) if is_in is None else is_in == isinstance(op, ast.In)
    if not (gate.is_small(left) and gate.is_small(right)):
        interpreter.too_much()
        return AbstractScalar(bool)
    if isinstance(op, (ast.Eq, ast.NotEq)) and (has_dim(left) or has_dim(right)):
        return AbstractScalar(bool)
    return interpreter.call(COMPARISONS[type(op)], [left, right], {})


def has_dim(value: Any) -> bool:
    """Whether a symbolic size is, or is in, what is compared: JAX takes it for different where it cannot tell."""
    return is_dim(value) or (isinstance(value, (tuple, list)) and any(map(has_dim, value)))


def identical(left: Any, right: Any) -> bool | None:
    """``left is right``; None where that is not known."""
    if Nullable in (type(left), type(right)):
        return None
    for side, other in ((left, right), (right, left)):
        if other is None and (
            arrays.known_of(side) is not None or (is_unknown(side) and side is not UNKNOWN)
        ):
            return False
    if is_unknown(left) or is_unknown(right):
        return None
    return left is right or (None if aliases.may_be(left, right) else False)


def contains(interpreter: Interpreter, member: Any, holder: Any) -> bool | None:
    """``member in holder``; None where that is not known."""
    if is_endless(holder):
        interpreter.too_much()
    sought(interpreter, member, holder)
    if (
        is_unknown(holder)
        or arrays.is_array(holder)
        or arrays.is_array(member)
        or arrays.holds_unknown(member)
    ):
        return None
    if type(holder) in interpreter.classes:
        method = getattr(type(holder), "__contains__", None)
        return truth(interpreter.call(method, [holder, member], {})) if method else None
    if isinstance(holder, Record):
        return type(holder).has(holder, member) if gate.is_small(member) else None
    if isinstance(holder, (list, tuple)) and arrays.holds_unknown(holder):
        return None
    if not _ends_soon(holder) or not gate.is_small(holder) or not gate.is_small(member):
        interpreter.too_much()
        return None
    return bool(member in holder)


def _ends_soon(holder: Any) -> bool:
    """Whether Python soon gets to the end of what it looks for something in."""
    if isinstance(holder, range):
        return len(holder) <= gate.LONGEST
    return isinstance(holder, Cursor) or not hasattr(type(holder), "__next__")
