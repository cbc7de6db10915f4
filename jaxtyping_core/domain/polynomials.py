"""The normal form of symbolic dims: a polynomial with whole coefficients over names and functions.

Two texts with one normal form are equal for all values of their names. If neither has a function such as ``floordiv``, the
converse holds too.
"""

from __future__ import annotations

import ast
import functools
import itertools
from collections.abc import Iterable, Mapping

from .expressions import FUNCTIONS, parsed

#: A name, or a function with its operands.
Atom = str | tuple[str, tuple["Polynomial", ...]]
#: Atoms with their powers. The empty one is the constant.
Monomial = frozenset[tuple[Atom, int]]
#: Monomials with their coefficients, none of which is 0.
Polynomial = frozenset[tuple[Monomial, int]]

CONSTANT: Monomial = frozenset()
#: The functions that may leave a remainder.
DIVIDING = frozenset({"floordiv", "mod"})
#: Terms of a polynomial. Dims of real programs have a tenth; a power of a sum may have any number.
MOST_TERMS = 100
#: Bits of a coefficient.
MOST_BITS = 1_000


class TooLarge(Exception):
    """A polynomial has too many terms, or too large coefficients."""


@functools.lru_cache(maxsize=4_096)
def polynomial(text: str) -> Polynomial | None:
    """The normal form of a dim. None if the text is not a dim, or has too many terms."""
    try:
        return polynomial_of(parsed(text), {})
    except (ValueError, RecursionError, TooLarge):
        return None


def polynomial_of(node: ast.expr, names: Mapping[str, Polynomial]) -> Polynomial:
    """The normal form of a syntax tree that `parsed` has made, with other sizes in place of some names.

    Raises:
        ValueError: it divides by 0, or a function has another number of operands.
        TooLarge: it has too many terms.
    """

    def of(inner: ast.expr) -> Polynomial:
        return polynomial_of(inner, names)

    match node:
        case ast.Constant(value=int(value)):
            return _constant(value)
        case ast.Name(id=name):
            return names[name] if name in names else _atom(name)
        case ast.UnaryOp(op=ast.UAdd(), operand=inner):
            return of(inner)
        case ast.UnaryOp(operand=inner):
            return _times(_constant(-1), of(inner))
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _plus(of(left), of(right))
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return _plus(of(left), _times(_constant(-1), of(right)))
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _times(of(left), of(right))
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int(power))):
            return functools.reduce(_times, [of(left)] * power, _constant(1))
        case ast.BinOp(left=left, op=ast.FloorDiv() | ast.Mod() as op, right=right):
            name = "mod" if isinstance(op, ast.Mod) else "floordiv"
            return _function(name, [of(left), of(right)])
        case ast.Call(func=ast.Name(id=name), args=args):
            return _function(name, list(map(of, args)))
    raise ValueError("not a dim")


def _constant(value: int) -> Polynomial:
    return frozenset([(CONSTANT, int(value))] if value else [])


def _atom(atom: Atom) -> Polynomial:
    return frozenset([(frozenset([(atom, 1)]), 1)])


def _function(name: str, operands: list[Polynomial]) -> Polynomial:
    """A function of operands that have normal forms: its value if they are numbers, an atom if not."""
    if len(operands) < 2 or (name in DIVIDING and len(operands) > 2):
        raise ValueError(f"{name} of {len(operands)} operands")
    numbers = list(map(_number, operands))
    if None not in numbers:
        try:
            return _constant(FUNCTIONS[name](*numbers))
        except ArithmeticError:  # by 0
            raise ValueError("not a dim") from None
    quotient = _without_remainder(name, operands[0], numbers[-1]) if name in DIVIDING else None
    if quotient is not None:
        return quotient
    if name in ("max", "min"):  # neither the order nor how often counts
        operands = sorted(set(operands), key=_ordered)
        if len(operands) == 1:
            return operands[0]
    return _atom((name, tuple(operands)))


def _without_remainder(name: str, terms: Polynomial, divisor: int | None) -> Polynomial | None:
    """What a division by a number gives that all coefficients divide by; None for others."""
    if not divisor or any(coefficient % divisor for _, coefficient in terms):
        return None
    return (
        frozenset((monomial, n // divisor) for monomial, n in terms) if name == "floordiv" else _constant(0)
    )


def _ordered(terms: Polynomial) -> str:
    return repr(sorted((sorted(map(repr, monomial)), coefficient) for monomial, coefficient in terms))


def _number(terms: Polynomial) -> int | None:
    if not terms:
        return 0
    if len(terms) > 1:
        return None
    ((monomial, coefficient),) = terms
    return coefficient if monomial == CONSTANT else None


def _plus(a: Polynomial, b: Polynomial) -> Polynomial:
    return _sum(itertools.chain(a, b))


def _times(a: Polynomial, b: Polynomial) -> Polynomial:
    if len(a) * len(b) > MOST_TERMS**2:
        raise TooLarge
    return _sum((_product(left, right), m * n) for left, m in a for right, n in b)


def _product(a: Monomial, b: Monomial) -> Monomial:
    powers = dict(a)
    for atom, power in b:
        powers[atom] = powers.get(atom, 0) + power
    return frozenset(powers.items())


def _sum(terms: Iterable[tuple[Monomial, int]]) -> Polynomial:
    total: dict[Monomial, int] = {}
    for monomial, coefficient in terms:
        total[monomial] = total.get(monomial, 0) + coefficient
    if len(total) > MOST_TERMS or any(n.bit_length() > MOST_BITS for n in total.values()):
        raise TooLarge
    return frozenset((monomial, coefficient) for monomial, coefficient in total.items() if coefficient)
