"""Sizes that a function takes, by what JAX says of those that it refuses: no more of them are equal than it asks for."""

from __future__ import annotations

import re
from collections.abc import Callable

from jaxtyping_core.sampling.tables.limits import MOST_SOLVING_STEPS

from .outcomes import Kind, Outcome
from .sizes import Draw

#: A shape in a message of JAX's.
SHAPE = re.compile(r"\((\d+(?:, *\d+)*),?\)")

Call = Callable[[Draw], Outcome]


def solved(call: Call, refused: Outcome) -> Outcome:
    """What comes of a call with sizes that are equal where JAX asked for it, one message after the other."""
    outcome = refused
    for _ in range(MOST_SOLVING_STEPS):
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
    """Whether the result is as declared where all sizes that have no name are equal, to each other and to one that has."""
    is_nameless = [name.startswith("?") for name in shown.names]
    for value in sorted(set(shown.sizes)):
        sizes = zip(shown.sizes, is_nameless, strict=True)
        if call(tuple(value if without else size for size, without in sizes)).kind is Kind.AGREES:
            return True
    return False
