"""Symbolic sizes as text, ``2*B + 1``: read by a grammar of their own, so that a text is never run as code.

The child runs this module too.
"""

from __future__ import annotations

import ast
import functools
import operator
from collections.abc import Callable, Mapping
from typing import Any

#: Characters of a size: those of real programs have a tenth.
LONGEST = 2_000
#: Operations within each other: more are no size, whatever Python's limit of recursion is at the time.
DEEPEST = 300
#: What a power may have for an exponent: sizes are small.
MOST_EXPONENT = 64
#: The functions in sizes, as JAX writes them.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "max": max,
    "min": min,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
}
#: Operators of sizes between two operands.
BINARY: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}


class NotArithmetic(ValueError):
    """What is no arithmetic of sizes."""


class NotAnExpression(NotArithmetic):
    """What is no expression of Python either."""


@functools.lru_cache(maxsize=4_096)
def parsed(text: str) -> ast.expr:
    """The syntax tree of a size: names, ints, arithmetic, and `FUNCTIONS`.

    Raises:
        NotArithmetic: it is something else.
    """
    if len(text) > LONGEST:
        raise NotArithmetic(f"a size of {len(text):,} characters; the limit is {LONGEST:,}")
    try:
        tree = ast.parse(text.strip().replace("^", "**"), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NotAnExpression(f"{text!r} is no size, and no expression") from error
    try:
        _check(tree)
    except (SyntaxError, RecursionError) as error:
        raise NotArithmetic(
            f"{text} is not an expression of sizes, which can have +, -, *, //, %, ** and {', '.join(FUNCTIONS)}"
        ) from error
    return tree


def _check(node: ast.expr, depth: int = 0) -> None:
    if depth > DEEPEST:
        raise RecursionError
    match node:
        case ast.Name():
            return
        case ast.Constant(value=value) if type(value) is int:
            return
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=inner):
            _check(inner, depth + 1)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
            is_power = isinstance(op, ast.Pow)
            small = isinstance(right, ast.Constant) and 0 <= _number(right) <= MOST_EXPONENT
            if is_power and not small:
                raise SyntaxError
            _check(left, depth + 1)
            _check(right, depth + 1)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS:
            for arg in args:
                _check(arg, depth + 1)
        case _:
            raise SyntaxError


def _number(node: ast.Constant) -> int:
    return node.value if type(node.value) is int else -1


def calculate(text: str, names: Mapping[str, Any]) -> Any:
    """The value of a size, for values of the names in it.

    Raises:
        ValueError: it is no size.
        KeyError: it has a name that is not in `names`.
    """
    return _value(parsed(text), names)


def _value(node: ast.expr, names: Mapping[str, Any]) -> Any:
    match node:
        case ast.Name(id=name):
            return names[name]
        case ast.UnaryOp(op=op, operand=inner):
            return -_value(inner, names) if isinstance(op, ast.USub) else _value(inner, names)
        case ast.BinOp(left=left, op=op, right=right):
            return BINARY[type(op)](_value(left, names), _value(right, names))
        case ast.Call(func=ast.Name(id=name), args=args):
            return FUNCTIONS[name](*(_value(arg, names) for arg in args))
    assert isinstance(node, ast.Constant)
    return node.value
