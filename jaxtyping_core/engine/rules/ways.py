"""The ways that a walk takes to a place of the program: the calls that lead there, and the rounds of the loops around them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ..interpreter import Interpreter


class Step(NamedTuple):
    """A place on a way: a call of a function by its number, the node there, and the rounds of its loops."""

    frame: int
    node: ast.AST | None
    rounds: int


def way_to(interpreter: Interpreter) -> tuple[Step, ...]:
    """The way to where the walk is."""
    frames = interpreter.frames
    nodes = [*(frame.caller for frame in frames[1:]), interpreter.node]
    return tuple(Step(frame.number, node, frame.turns) for frame, node in zip(frames, nodes, strict=True))


def differ(first: Sequence[Step], second: Sequence[Step]) -> int | None:
    """Where two ways part; None if one of them is the other once more, as where a call is tried in another way."""
    for place, (step, other) in enumerate(zip(first, second, strict=False)):
        if step.frame != other.frame:
            return None
        if (step.node, step.rounds) != (other.node, other.rounds):
            return place
    return None


def is_in_another_round(first: Sequence[Step], second: Sequence[Step]) -> bool:
    """Whether one loop leads to a place in two of its rounds."""
    place = differ(first, second)
    return place is not None and first[place].node is second[place].node


def is_on_one_way(earlier: Sequence[int], now: Sequence[int]) -> bool:
    """Whether some run comes to two places: both are under the same conditions, but for those that one has more."""
    return all(before == after for before, after in zip(earlier, now, strict=False))
