"""The patterns of dims by the parameters that they depend on."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..probing.evaluate import Many, Outcome, Spec, arrays
from ..probing.parameters import Given
from ..probing.samples import Variant, always
from . import probe, shapes
from .probe import Probe

#: The ranks of the arrays of a call.
Ranks = tuple[int, ...]
#: The pattern of each array in the result; None for one of unknown rank.
Patterns = tuple[shapes.Pattern | None, ...]

#: At most so many parameters are varied together; the others stay out of the rows where they matter.
VARIED_TOGETHER = 2


class UnstableError(Exception):
    """What a function returns varies by more than dtypes and shapes: an array here, a list of arrays there."""


class Choice(NamedTuple):
    """What a parameter may be in a group of calls."""

    annotations: tuple[str, ...]
    left_out: bool


class Group(NamedTuple):
    """Calls that have the same patterns: by the choices for some parameters."""

    choices: dict[str, Choice]
    patterns: dict[Ranks, Patterns]
    told_apart: tuple[tuple[dict[str, Choice], Ranks, Patterns], ...] = ()  # what single axes give


Picked = Mapping[str, Variant | None]


def combinations(one: Probe, varied: list[Given]) -> Iterator[dict[str, Variant | None]]:
    """The variants of the required parameters and of those that the dims depend on; None for left out."""
    required = one.required
    names = [given.name for given in (*required, *varied)]
    options: list[list[Variant | None]] = [
        [always("Any", *probe.values_of_dtype())] if given.name in probe.DTYPE else list(one.variants(given))
        for given in required
    ]
    options += [[None, *one.variants(given)] for given in varied]
    for picked in itertools.product(*options):
        yield dict(zip(names, picked, strict=True))


def choices_of(picked: Picked) -> dict[str, Choice]:
    return {
        name: Choice((variant.annotation,), False) if variant else Choice((), True)
        for name, variant in picked.items()
    }


def roles_of_options(one: Probe, node: str, options: list[Given]) -> tuple[list[Given], dict[str, Choice]]:
    """The parameters that the dims depend on, and those that they do not depend on."""
    required = next(combinations(one, []), {})
    plain = patterns_by_rank(one, node, required)
    varied: list[Given] = []
    free: dict[str, Choice] = {}
    for option in options:
        same = []
        for variant in one.variants(option):
            found = patterns_by_rank(one, node, {**required, option.name: variant}, list(plain))
            if shapes.agree(found, plain):
                same.append(variant.annotation)
        if len(same) == len(one.variants(option)) or len(varied) == VARIED_TOGETHER:
            if same:
                free[option.name] = Choice(tuple(same), True)
        else:
            varied.append(option)
    return varied, free


def patterns_by_rank(
    one: Probe, node: str, picked: Picked, wanted: list[Ranks] | None = None
) -> dict[Ranks, Patterns]:
    """The patterns for each rank that is accepted."""
    found = {}
    for ranks in wanted or _ranks(len(one.arrays)):
        tried = (_patterns(one, node, picked, sizes) for sizes in shapes.assignments(ranks))
        patterns = next((patterns for patterns in tried if patterns is not None), None)
        if patterns is not None:
            found[ranks] = patterns
    if len({len(patterns) for patterns in found.values()}) > 1:
        raise UnstableError
    return found


def _ranks(count: int) -> Iterator[Ranks]:
    if count == 2:
        yield from itertools.product(range(4), repeat=2)
    else:
        yield from [(rank,) * count for rank in shapes.RANKS] if count else [()]


def _patterns(
    one: Probe, node: str, picked: Picked, sizes: list[tuple[shapes.Shape, ...]]
) -> Patterns | None:
    tried = [
        (given, settings) for given in sizes for settings in _settings(picked, given[0] if given else ())
    ]
    calls = [one.call([Spec(node, shape) for shape in given], settings) for given, settings in tried]
    accepted = [
        (given, outcome)
        for (given, _), outcome in zip(tried, one.outcomes(calls) if calls else [], strict=True)
        if outcome is not None
    ]
    if len({_structure(outcome) for _, outcome in accepted}) > 1:
        raise UnstableError
    return _infer(accepted) if accepted else None


def _structure(outcome: Outcome) -> str:
    return outcome.kind if isinstance(outcome, Many) else type(outcome).__name__


def _settings(picked: Picked, shape: shapes.Shape) -> Iterator[dict[str, Any]]:
    given = {name: list(variant.values(shape)) for name, variant in picked.items() if variant}
    for values in itertools.islice(itertools.product(*given.values()), 24):
        yield dict(zip(given, values, strict=True))


def _infer(accepted: Sequence[tuple[tuple[shapes.Shape, ...], Outcome]]) -> Patterns:
    results = [(given, [spec.shape for spec in arrays(outcome)]) for given, outcome in accepted]
    count = {len(found) for _, found in results}
    if len(count) > 1:  # a list of varying length: all of its arrays together
        return (shapes.infer([(given, shape) for given, found in results for shape in found]),)
    return tuple(
        shapes.infer([(given, found[place]) for given, found in results]) for place in range(count.pop())
    )


#: Parameters of which each value has its own patterns, and the highest rank for which they are told apart.
AXES = ("axis", "axis1", "dimension")
TOLD_APART = 3


def axes_told_apart(one: Probe, node: str, group: Group) -> Group:
    """The group with the patterns of every single axis, where they say more."""
    name = next((name for name in AXES if group.choices.get(name, _NOTHING).annotations == ("int",)), None)
    if name is None:
        return group
    picked = {other: _variant(one, other, choice) for other, choice in group.choices.items()}
    found = []
    for ranks, patterns in sorted(group.patterns.items()):
        if ranks and ranks[0] <= TOLD_APART and any(None in (pattern or ()) for pattern in patterns):
            for single in _single_axes(picked[name], ranks[0]):
                table = patterns_by_rank(one, node, {**picked, name: single}, [ranks])
                if table.get(ranks, patterns) != patterns:
                    chosen = Choice((single.annotation,), _default(one, name) in single.values(()))
                    found.append(({**group.choices, name: chosen}, ranks, table[ranks]))
    return group._replace(told_apart=tuple(found))


_NOTHING = Choice((), True)


def _variant(one: Probe, name: str, choice: Choice) -> Variant | None:
    """A variant that stands for the choice; None for leaving the parameter out."""
    variants = one.variants(next(given for given in one.parameters if given.name == name))
    wanted = () if choice.left_out and choice.annotations != ("int",) else choice.annotations
    return next((variant for variant in variants if variant.annotation in wanted), None)


def _single_axes(every: Variant | None, rank: int) -> Iterator[Variant]:
    """A variant for each axis, counted from the front and from the back."""
    size = len(list(every.values((1,) * rank))) // 2 if every else 0
    for axis in range(size):
        yield always(f"Literal[{axis}, {axis - size}]", axis, axis - size)


def _default(one: Probe, name: str) -> Any:
    return next(given.parameter.default for given in one.parameters if given.name == name)


def merged(groups: list[Group]) -> list[Group]:
    """Groups with the same patterns that differ in one parameter become one."""
    for one, other in itertools.combinations(groups, 2):
        union = _union(one, other)
        if union is not None:
            return merged([union if group is one else group for group in groups if group is not other])
    return [group for group in groups if group.patterns]


def _union(one: Group, other: Group) -> Group | None:
    different = [name for name in one.choices if one.choices[name] != other.choices[name]]
    if not shapes.agree(one.patterns, other.patterns) or len(different) != 1:
        return None
    name = different[0]
    first, second = one.choices[name], other.choices[name]
    both = Choice(
        tuple(dict.fromkeys((*first.annotations, *second.annotations))), first.left_out or second.left_out
    )
    return Group({**one.choices, name: both}, {**one.patterns, **other.patterns})
