"""The operators of Python, as functions."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

#: What a number that a program computes may have at most, in bits, and a text or a list in items.
MOST_BITS, MOST_ITEMS = 4096, 100_000


class TooMuch(Exception):
    """The result would be larger than any program needs."""


def power(base: Any, exponent: Any) -> Any:
    """``**``, for numbers that stay within reason."""
    if type(base) is int and type(exponent) is int and base.bit_length() * abs(exponent) > MOST_BITS:
        raise TooMuch
    return operator.pow(base, exponent)


def shift(value: Any, bits: Any) -> Any:
    """``<<``, within reason."""
    if type(value) is int and type(bits) is int and bits > MOST_BITS:
        raise TooMuch
    return operator.lshift(value, bits)


def times(left: Any, right: Any) -> Any:
    """``*``, within reason."""
    for several, number in ((left, right), (right, left)):
        if (
            isinstance(several, (str, bytes, list, tuple))
            and type(number) is int
            and len(several) * number > MOST_ITEMS
        ):
            raise TooMuch
    if type(left) is int and type(right) is int and left.bit_length() + right.bit_length() > MOST_BITS:
        raise TooMuch
    return operator.mul(left, right)


def remainder(left: Any, right: Any) -> Any:
    """``%``, but for texts as if they were to be filled in: with a width, they may be of any length."""
    if isinstance(left, (str, bytes)):
        raise TooMuch
    return operator.mod(left, right)


BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: times,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: remainder,
    ast.Pow: power,
    ast.MatMult: operator.matmul,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: shift,
    ast.RShift: operator.rshift,
}
IN_PLACE: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.iadd,
    ast.BitOr: operator.ior,
    ast.BitAnd: operator.iand,
    ast.Sub: operator.isub,
}
UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}
COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
ALL = frozenset([*BINARY.values(), *IN_PLACE.values(), *UNARY.values(), *COMPARISONS.values()])
