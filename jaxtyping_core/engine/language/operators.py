"""The operators of Python, as functions."""

from __future__ import annotations

import ast
import collections
import fractions
import operator
from collections.abc import Callable
from typing import Any

from ..libraries.trust.special_names import is_closed_name
from ..values import heap

#: What a number that a program computes may have at most, in bits, and a text or a list in items.
MOST_BITS, MOST_ITEMS = 4096, 100_000


class TooMuch(Exception):
    """The result would be larger than any program needs."""


#: What has a length that an operator may make a multiple of.
SEVERAL = (str, bytes, list, tuple, collections.deque)


#: Typeshed says nothing of what these give, or less than they take.
_ADD: Callable[[Any, Any], Any] = operator.add
_IADD: Callable[[Any, Any], Any] = operator.iadd
_IOR: Callable[[Any, Any], Any] = operator.ior


def get_item(holder: Any, key: Any) -> Any:
    """``holder[key]``."""
    return holder[key]


def add(left: Any, right: Any) -> Any:
    """``+``, within reason."""
    if isinstance(left, SEVERAL) and isinstance(right, SEVERAL) and len(left) + len(right) > MOST_ITEMS:
        raise TooMuch
    return _ADD(left, right)


def iadd(left: Any, right: Any) -> Any:
    """``+=``, within reason."""
    if isinstance(left, SEVERAL) and isinstance(right, SEVERAL) and len(left) + len(right) > MOST_ITEMS:
        raise TooMuch
    heap.changing(left)
    return _IADD(left, right)


def ior(left: Any, right: Any) -> Any:
    """``|=``; a dict, which may be that of an object, gets no special names by it."""
    names = dict.keys(right) if isinstance(left, dict) and isinstance(right, dict) else ()
    if any(type(name) is str and is_closed_name(name) for name in names):
        raise TooMuch
    heap.changing(left)
    return _IOR(left, right)


def power(base: Any, exponent: Any) -> Any:
    """``**``, for numbers that stay within reason."""
    if type(exponent) is int and _bits(base) * abs(exponent) > MOST_BITS:
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
        if isinstance(several, SEVERAL) and type(number) is int and len(several) * number > MOST_ITEMS:
            raise TooMuch
    _within_reason(left, right)
    return operator.mul(left, right)


def truediv(left: Any, right: Any) -> Any:
    """``/``, within reason."""
    _within_reason(left, right)
    return operator.truediv(left, right)


def _within_reason(left: Any, right: Any) -> None:
    if _bits(left) and _bits(left) + _bits(right) > MOST_BITS and _bits(right):
        raise TooMuch


def _bits(number: Any) -> int:
    """How many bits an exact number has, which products have the sum of; 0 of what is no exact number."""
    if type(number) is int:
        return number.bit_length()
    if isinstance(number, fractions.Fraction):
        return number.numerator.bit_length() + number.denominator.bit_length()
    return 0


def remainder(left: Any, right: Any) -> Any:
    """``%``, but for texts as if they were to be filled in: with a width, they may be of any length."""
    if isinstance(left, (str, bytes)):
        raise TooMuch
    return operator.mod(left, right)


BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: add,
    ast.Sub: operator.sub,
    ast.Mult: times,
    ast.Div: truediv,
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
    ast.Add: iadd,
    ast.BitOr: ior,
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
_NAME = ast.Name("x")
#: The operators of Python that are called in another way, by Python's own functions for them.
LIMITED: dict[Callable[..., Any], Callable[[Any, Any], Any]] = {
    operator.add: add,
    operator.iadd: iadd,
    operator.ior: ior,
    operator.mul: times,
    operator.truediv: truediv,
    operator.pow: power,
    operator.mod: remainder,
    operator.lshift: shift,
}
#: How a program writes each operator of two values.
SYMBOLS: dict[Callable[..., Any], str] = {
    **{f: ast.unparse(ast.AugAssign(_NAME, kind(), _NAME)).split()[1] for kind, f in IN_PLACE.items()},
    **{f: ast.unparse(ast.BinOp(_NAME, kind(), _NAME)).split()[1] for kind, f in BINARY.items()},
    **{f: ast.unparse(ast.Compare(_NAME, [kind()], [_NAME])).split()[1] for kind, f in COMPARISONS.items()},
}
ALL = frozenset([*LIMITED, *BINARY.values(), *IN_PLACE.values(), *UNARY.values(), *COMPARISONS.values()])
