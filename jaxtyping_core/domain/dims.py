"""The algebra of dims: what is known of one size of an array, and of all of its sizes.

A dim is a number, a symbolic expression, or None if it is unknown. An expression stands for what it comes to for *every* value
of its names. So two known dims describe the same size only if they are equal as functions of the names: ``3`` and ``B`` do
not, although ``B`` may be 3 in one call. The engine's expressions are JAX's objects, whose `str` is the text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .expressions import calculate
from .polynomials import polynomial

#: What is known of a size: a number, an expression, or None for nothing.
Dim = int | str | None
#: What is known of the sizes of an array; None if not even the rank is known.
Shape = tuple[Dim, ...] | None


class Contradiction(Exception):
    """Nothing fits both of two descriptions."""


def equal(a: Dim, b: Dim) -> bool:
    """Whether two known dims are equal for all values of their names. False if that cannot be shown."""
    return join(a, b) is not None


def leq(a: Dim, b: Dim) -> bool:
    """Whether `b` describes every size that `a` describes."""
    return b is None or equal(a, b)


def join(a: Dim, b: Dim) -> Dim:
    """The most precise dim that describes what `a` or `b` describes. Of two texts of one dim it has the shorter."""
    if a is b or a is None or b is None:
        return a if a is b else None
    if type(a) is int or type(b) is int:
        return a if type(a) is type(b) and a == b else None
    text, other = str(a), str(b)
    if text == other:
        return a
    if not _always_equal(text, other):
        return None
    return a if (len(text), text) <= (len(other), other) else b


def _always_equal(text: str, other: str) -> bool:
    if text.isidentifier() and other.isidentifier():
        return False
    normal = polynomial(text)
    return normal is not None and normal == polynomial(other)


def meet(a: Dim, b: Dim) -> Dim:
    """The least precise dim that both describe.

    Raises:
        Contradiction: there is none.
    """
    if a is None or b is None:
        return b if a is None else a
    both = join(a, b)
    if both is None:
        raise Contradiction
    return both


def reconcile(a: Dim, b: Dim) -> Dim:
    """What two sources together know of a dim, of which each may name sizes in its own way.

    A name is kept before a number, which does not contradict it: the number may be that of one call. What they contradict each
    other about is unknown.
    """
    if a is None or b is None:
        return b if a is None else a
    if (type(a) is int) == (type(b) is int):
        return join(a, b)
    return b if type(a) is int else a


def at_sizes(dim: Dim, sizes: Mapping[str, int]) -> Dim:
    """The dim where names stand for these numbers; as it is where that gives no number."""
    if not isinstance(dim, str):
        return dim
    try:
        return int(calculate(dim, sizes))
    except (ValueError, KeyError, TypeError, ArithmeticError):
        return dim


def equal_shapes(a: Shape, b: Shape) -> bool:
    """Whether two descriptions say the same of a shape."""
    if a is None or b is None:
        return a is b
    return len(a) == len(b) and all(x is y or equal(x, y) for x, y in zip(a, b, strict=True))


def shape_leq(a: Shape, b: Shape) -> bool:
    """Whether `b` describes every shape that `a` describes."""
    return b is None or (a is not None and len(a) == len(b) and all(map(leq, a, b)))


def join_shapes(a: Shape, b: Shape) -> Shape:
    """The most precise shape that describes what `a` or `b` describes."""
    return _pairwise(join, a, b)


def meet_shapes(a: Shape, b: Shape) -> Shape:
    """The least precise shape that both describe.

    Raises:
        Contradiction: there is none.
    """
    if a is None or b is None:
        return b if a is None else a
    if len(a) != len(b):
        raise Contradiction
    return tuple(map(meet, a, b))


def refine_shapes(known: Shape, other: Shape) -> Shape:
    """What is known of a shape, and what `other` says of dims of which nothing is known."""
    if known is None or other is None:
        return other if known is None else known
    if len(known) != len(other):
        return known
    return tuple(b if a is None else a for a, b in zip(known, other, strict=True))


def reconcile_shapes(a: Shape, b: Shape) -> Shape:
    """What two sources together know of a shape; of another rank, they contradict each other."""
    if a is None or b is None:
        return b if a is None else a
    return _pairwise(reconcile, a, b)


def without_clashes(shape: Shape, seen: Shape) -> Shape:
    """A shape without the numbers that one of the same rank contradicts."""
    if shape is None or seen is None:
        return shape
    pairs = zip(shape, seen, strict=True)
    return tuple(None if type(a) is type(b) is int and a != b else a for a, b in pairs)


def _pairwise(combine: Callable[[Dim, Dim], Dim], a: Shape, b: Shape) -> Shape:
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple(map(combine, a, b))
