"""Formulas of sizes as annotations write them, in Python's notation: formulas that are equal have one normal form.

The normal form is that of `polynomials`, written as text: ``2*n + 1``, ``floordiv(n + 1, 2)``.
"""

from __future__ import annotations

import ast
import functools
import itertools
from collections.abc import Mapping

from .expressions import NotArithmetic, parsed
from .polynomials import DIVIDING, Atom, Monomial, Polynomial, TooLarge, polynomial, polynomial_of

#: Sizes of which each divides the next, and by which most numbers in programs divide: of two kinds, so that none is equal by chance.
_POWERS = range(1, 5)
_DIVISIBLE = tuple(
    tuple(base**power for power in _POWERS) for base in (2**12 * 3**3 * 25 * 7, 2**12 * 27 * 25 * 77)
)


def normal(formula: str) -> str:
    """The normal form of a formula.

    Raises:
        NotArithmetic: it is no arithmetic of sizes.
    """
    return substituted(formula, {})


def symbols_of(formula: str) -> set[str]:
    """The names in a formula.

    Raises:
        NotArithmetic: it is no arithmetic of sizes.
    """
    tree = _checked(formula)
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - _called_in(tree)


def functions_of(formula: str) -> set[str]:
    """The functions that a formula calls.

    Raises:
        NotArithmetic: it is no arithmetic of sizes.
    """
    return _called_in(_checked(formula))


def substituted(formula: str, sizes: Mapping[str, int | str]) -> str:
    """The normal form of a formula with other sizes in place of some names.

    Raises:
        NotArithmetic: it is no arithmetic of sizes, or one of these is none.
    """
    return _written(_polynomial(formula, sizes))


def may_be_equal(left: str, right: str) -> bool:
    """Whether two formulas are equal for sizes that leave no remainders where they divide: ``4 * (n // 4)`` and ``n``.

    False where neither divides: what is equal then has one normal form.

    Raises:
        NotArithmetic: one is no arithmetic of sizes.
    """
    left, right = normal(left), normal(right)
    if DIVIDING.isdisjoint(functions_of(left) | functions_of(right)):
        return False
    names = sorted(symbols_of(left) | symbols_of(right))
    return any(
        all(_differ_by_nothing(left, right, dict(zip(order, sizes, strict=False))) for sizes in _DIVISIBLE)
        for order in itertools.permutations(names[: len(_POWERS)])
    )


def _differ_by_nothing(left: str, right: str, sizes: Mapping[str, int]) -> bool:
    return substituted(left, sizes) == substituted(right, sizes)


def _polynomial(formula: str, sizes: Mapping[str, int | str]) -> Polynomial:
    tree = _python(formula)
    names = {name: polynomial(str(size)) for name, size in sizes.items()}
    if None in names.values():
        raise NotArithmetic(f"{sizes} are no sizes")
    try:
        return polynomial_of(tree, {name: terms for name, terms in names.items() if terms is not None})
    except ValueError as error:
        raise NotArithmetic(f"{formula} has no value: {error}") from None
    except (RecursionError, TooLarge):
        raise NotArithmetic(f"{formula} has too many terms") from None


@functools.lru_cache(maxsize=4_096)
def _checked(formula: str) -> ast.expr:
    """The syntax tree of a formula that has a normal form."""
    _polynomial(formula, {})
    return _python(formula)


def _python(formula: str) -> ast.expr:
    """The syntax tree of a formula, in which ``^`` is no power."""
    if "^" in formula:
        raise NotArithmetic(f"{formula} has an operator that sizes do not have")
    return parsed(formula)


def _called_in(tree: ast.expr) -> set[str]:
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {function.id for function in calls if isinstance(function, ast.Name)}


def _written(terms: Polynomial) -> str:
    """A polynomial as text: long products first, then by name, the number last."""
    text = ""
    products = [(_factors(monomial), times) for monomial, times in terms]
    for product, times in sorted(products, key=lambda item: (-len(item[0]), item[0])):
        factors = [f"{abs(times)}"] if abs(times) != 1 or not product else []
        term = "*".join([*factors, *product])
        if not text:
            text = term if times > 0 else f"-{term}"
        else:
            text += f" + {term}" if times > 0 else f" - {term}"
    return text or "0"


def _factors(monomial: Monomial) -> tuple[str, ...]:
    return tuple(sorted(text for atom, power in monomial for text in [_atom(atom)] * power))


def _atom(atom: Atom) -> str:
    if isinstance(atom, str):
        return atom
    name, operands = atom
    texts = map(_written, operands)
    return f"{name}({', '.join(texts if name in DIVIDING else sorted(texts))})"
