"""The shapes of arguments and of results as types: what holds for all ranks together, by variadic tuples (PEP 646).

A rule of one rank each would cost a row each. A rule like "the first dim goes, all others stay" is one row for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from . import shapes
from .dim_expressions import UNKNOWN
from .grouping import Group, Patterns
from .shapes import Pattern

#: The type variables for single dims, and for any number of them.
NAMES = ("_K", "_L")
REST = "*_Ts"
#: So many dims of the argument are told apart from the rest of them.
NEAR = len(NAMES)


class Dims(NamedTuple):
    """The shapes of the arrays in a row, and those in its result."""

    operands: tuple[str, ...]
    result: tuple[str, ...]


def shape(parts: Iterable[str]) -> str:
    """A shape as a type."""
    return f"tuple[{', '.join(parts) or '()'}]"


def blank(pattern: Pattern | None) -> str:
    """The rank of a pattern, without its dims."""
    return UNKNOWN if pattern is None else shape([UNKNOWN] * len(pattern))


def general(group: Group, count: int) -> Dims | None:
    """The dims of all ranks together: the same shape, always the same rank, or no arrays to depend on."""
    if not group.patterns:
        return None
    if not count:
        return Dims((), tuple(map(blank, group.patterns[()])))
    if not any(map(any, group.patterns)):  # arrays without dims tell of no dims
        return None
    for argument in range(count):
        if all(
            pattern == shapes.identity(ranks[argument], argument)
            for ranks, patterns in group.patterns.items()
            for pattern in patterns
        ):
            operands = ["_S" if count != 2 or place == argument else "Any" for place in range(count)]
            return Dims(tuple(operands), ("_S",) * len(next(iter(group.patterns.values()))))
    if count > 2 or len(group.patterns) == 1:  # only arrays of equal rank were tried, or too little
        return None
    places = list(zip(*group.patterns.values(), strict=True))
    if all(len({_rank(pattern) for pattern in place}) == 1 for place in places):
        return Dims(("Any",) * count, tuple(blank(place[0]) for place in places))
    return None


def _rank(pattern: Pattern | None) -> int | None:
    return None if pattern is None else len(pattern)


def of_any_rank(by_rank: Mapping[int, Patterns]) -> Dims | None:
    """The rule for one array of any rank that says the same as the patterns of each rank; None where there is none.

    Some dims next to the start of the shape, or to its end, are told apart; all others are kept in their order.
    """
    for near in range(NEAR + 1):
        ranks = {rank: patterns for rank, patterns in by_rank.items() if rank >= near}
        if len(ranks) < 2:  # one rank is no evidence
            return None
        for at_start in (True, False):
            templates = {_template(rank, near, patterns, at_start) for rank, patterns in ranks.items()}
            if len(templates) == 1 and (template := templates.pop()) is not None:
                used = {part for result in template for part in result}
                dims = [name if name in used else "Any" for name in NAMES[:near]]
                return Dims(
                    (_with_rest(dims, at_start),), tuple(_with_rest(each, at_start) for each in template)
                )
    return None


def _with_rest(near: Iterable[str], at_start: bool) -> str:
    return shape([*near, REST] if at_start else [REST, *near])


def _template(rank: int, near: int, patterns: Patterns, at_start: bool) -> tuple[tuple[str, ...], ...] | None:
    """What is beside the dims that are kept, for each array in the result."""
    besides = [_beside(rank, near, pattern, at_start) for pattern in patterns]
    known = tuple(beside for beside in besides if beside is not None)
    return known if len(known) == len(besides) else None


def _beside(rank: int, near: int, pattern: Pattern | None, at_start: bool) -> tuple[str, ...] | None:
    kept = rank - near
    if pattern is None or len(pattern) < kept:
        return None
    far = range(near, rank) if at_start else range(kept)
    wanted = tuple((0, dim) for dim in far)
    split = len(pattern) - kept if at_start else kept
    rest, beside = (pattern[split:], pattern[:split]) if at_start else (pattern[:split], pattern[split:])
    if rest != wanted:
        return None
    first = 0 if at_start else kept
    names = {first + place: NAMES[place] for place in range(near)}
    if any(dim is not None and dim[1] not in names for dim in beside):
        return None
    return tuple(UNKNOWN if dim is None else names[dim[1]] for dim in beside)
