"""Sizes that a function takes, by what JAX says of those that it refuses: no more of them are equal than it asks for."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable

from .outcomes import Kind, Outcome
from .sizes import Draw

#: A shape in a message of JAX's.
SHAPE = re.compile(r"\((\d+(?:, *\d+)*),?\)")
#: Calls at most until sizes are accepted, and to see whether other ones would do.
MOST_STEPS = 8
MOST_OTHERS = 400

Call = Callable[[Draw], Outcome]


def solved(call: Call, refused: Outcome) -> Outcome:
    """What comes of a call with sizes that are equal where JAX asked for it, one message after the other."""
    outcome = refused
    for _ in range(MOST_STEPS):
        draw = _equated(outcome) if outcome.kind is Kind.REFUSED else None
        if draw is None:
            break
        outcome = call(draw)
    return outcome


def _equated(refused: Outcome) -> Draw | None:
    """The sizes of a call, equal to each other or to numbers of the program where two shapes of the message differ."""
    shapes = [tuple(map(int, text.split(","))) for text in SHAPE.findall(refused.message)]
    if len(shapes) < 2:
        return None
    sizes = refused.sizes
    for new, old in zip(reversed(shapes[0]), reversed(shapes[1]), strict=False):
        if new != old and 1 not in (new, old):
            old, new = (old, new) if old in sizes else (new, old)
            sizes = _with(sizes, old, new)
    return None if sizes == refused.sizes else sizes


def _with(sizes: Draw, old: int, new: int) -> Draw:
    return tuple(new if size == old else size for size in sizes)


def may_agree(call: Call, shown: Outcome) -> bool:
    """Whether the result may be as declared where more of the sizes that have no name are equal to others.

    Of a dtype that is another one, that is seen where all of them are equal; of sizes all ways are tried, if there are few.
    """
    is_nameless = [name.startswith("?") for name in shown.names]
    nameless = sorted({size for size, without in zip(shown.sizes, is_nameless, strict=True) if without})
    values = sorted(set(shown.sizes))
    ways: Iterable[tuple[int, ...]] = [(value,) * len(nameless) for value in values]
    if shown.difference is not None and shown.difference.code == "array-shape":
        if len(values) ** len(nameless) > MOST_OTHERS:
            return True
        ways = itertools.product(values, repeat=len(nameless))
    for way in ways:
        new = dict(zip(nameless, way, strict=True))
        sizes = zip(shown.sizes, is_nameless, strict=True)
        if call(tuple(new[size] if without else size for size, without in sizes)).kind is Kind.AGREES:
            return True
    return False
