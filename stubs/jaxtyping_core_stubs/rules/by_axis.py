"""Rows for functions of one array of which the shape of the result depends on the rank, or on an axis."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..probing import samples
from . import grouping
from .dim_expressions import UNKNOWN
from .dims import Dims, blank, of_any_rank
from .function_rules import Study
from .grouping import AXES, TOLD_APART, Choice, Group, Patterns
from .making import UNKNOWN_SHAPE, Purpose, Row, dtype_choices, make

#: The axes that have a row, in the order in which programs name them.
TOLD = (-1, 0, 1)
#: The ranks that have a row where there is no rule for any rank.
RANKS = (2, 1, 3)


def rows(study: Study, groups: Iterable[Group]) -> Iterator[Row]:
    """The rows of the groups of which nothing holds for all ranks, after one for arrays of unknown rank."""
    if len(study.probe.arrays) != 1:
        return
    made = [row for group in groups for row in _rows(study, group)]
    if made:
        dims = Dims((UNKNOWN_SHAPE,), (UNKNOWN,) * len(study.claims))
        yield make(study, Purpose.GUARD, dtype_choices(study), dims)
        yield from made


def _rows(study: Study, group: Group) -> Iterator[Row]:
    axis = next((name for name in AXES if "int" in _annotations(group, name)), None)
    if axis is not None:
        told = list(_of_axes(study, group, axis))
        yield from told or _by_rank(study, group)
    elif any(text.startswith("tuple[int") for name in AXES for text in _annotations(group, name)):
        yield from _by_rank(study, group)  # which axes they are is not told apart
    else:
        by_rank = {ranks[0]: patterns for ranks, patterns in group.patterns.items()}
        if (dims := of_any_rank(by_rank)) is not None:
            yield make(study, Purpose.RANK, {**study.free, **group.choices}, dims)
        else:
            yield from _by_rank(study, group)


def _annotations(group: Group, name: str) -> tuple[str, ...]:
    return group.choices[name].annotations if name in group.choices else ()


def _of_axes(study: Study, group: Group, axis: str) -> Iterator[Row]:
    """A row for each of the axes that are told, where what it gives is one rule for any rank."""
    default = next(argument.parameter.default for argument in study.probe.parameters if argument.name == axis)
    for value in TOLD:
        patterns = _patterns(study, group, axis, value)
        if (dims := of_any_rank(patterns)) is not None:
            chosen = Choice((f"Literal[{value}]",), default == value)
            yield make(study, Purpose.AXIS, {**study.free, **group.choices, axis: chosen}, dims)


def _patterns(study: Study, group: Group, axis: str, value: int) -> dict[int, Patterns]:
    """The patterns of one axis by rank, found out here where they were not told apart."""
    if group.choices[axis].annotations == ("int",):
        return dict(_of_axis(group, axis, value))
    probed = study.probe
    picked = {name: grouping._variant(probed, name, choice) for name, choice in group.choices.items()}
    picked[axis] = samples.always(f"Literal[{value}]", value)
    wanted = [ranks for ranks in group.patterns if ranks[0] <= TOLD_APART]
    known = grouping.patterns_by_rank(probed, study.base.node, picked, wanted)
    return {ranks[0]: patterns for ranks, patterns in known.items()}


def _by_rank(study: Study, group: Group) -> Iterator[Row]:
    """A row for each rank, which tells no more than the rank."""
    for rank in RANKS:
        if (patterns := group.patterns.get((rank,))) is not None and None not in patterns:
            shape = f"tuple[{', '.join(['Any'] * rank)}]"
            dims = Dims((shape,), tuple(map(blank, patterns)))
            yield make(study, Purpose.RANK, {**study.free, **group.choices}, dims)


def _of_axis(group: Group, axis: str, value: int) -> Iterator[tuple[int, Patterns]]:
    """The patterns of one axis by rank, as far as they are told apart."""
    apart = {
        (ranks[0], picked): patterns
        for choices, ranks, patterns in group.told_apart
        for picked in _literals(choices[axis])
    }
    for (rank,), patterns in sorted(group.patterns.items()):
        if rank <= TOLD_APART and _has(group, axis, rank, value):
            yield rank, apart.get((rank, value), patterns)


def _literals(choice: Choice) -> list[int]:
    return [int(text) for text in choice.annotations[0].removeprefix("Literal[").rstrip("]").split(", ")]


def _has(group: Group, axis: str, rank: int, value: int) -> bool:
    """Whether arrays of a rank have an axis: among those that were told apart, or that an array has."""
    told = [choices[axis] for choices, ranks, _ in group.told_apart if ranks == (rank,)]
    known = [picked for choice in told for picked in _literals(choice)]
    return value in known or -rank <= value < rank
