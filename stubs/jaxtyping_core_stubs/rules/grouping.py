"""The patterns of dims by the parameters that they depend on."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..probing.evaluate import Many, Outcome, Spec, arrays
from ..probing.parameters import Argument
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


def combinations(probed: Probe, varied: list[Argument]) -> Iterator[dict[str, Variant | None]]:
    """The variants of the required parameters and of those that the dims depend on; None for left out."""
    required = probed.required
    names = [argument.name for argument in (*required, *varied)]
    options: list[list[Variant | None]] = [
        [always("Any", *probe.values_of_dtype())]
        if argument.name in probe.DTYPE
        else list(probed.variants(argument))
        for argument in required
    ]
    options += [[None, *probed.variants(argument)] for argument in varied]
    for picked in itertools.product(*options):
        yield dict(zip(names, picked, strict=True))


def choices_of(picked: Picked) -> dict[str, Choice]:
    return {
        name: Choice((variant.annotation,), False) if variant else Choice((), True)
        for name, variant in picked.items()
    }


def roles_of_options(
    probed: Probe, node: str, options: list[Argument]
) -> tuple[list[Argument], dict[str, Choice]]:
    """The parameters that the dims depend on, and those that they do not depend on."""
    required = next(combinations(probed, []), {})
    plain = patterns_by_rank(probed, node, required)
    varied: list[Argument] = []
    free: dict[str, Choice] = {}
    for option in options:
        same = []
        for variant in probed.variants(option):
            patterns = patterns_by_rank(probed, node, {**required, option.name: variant}, list(plain))
            if shapes.agree(patterns, plain):
                same.append(variant.annotation)
        if len(same) == len(probed.variants(option)) or len(varied) == VARIED_TOGETHER:
            if same:
                free[option.name] = Choice(tuple(same), True)
        else:
            varied.append(option)
    return varied, free


def patterns_by_rank(
    probed: Probe, node: str, picked: Picked, wanted: list[Ranks] | None = None
) -> dict[Ranks, Patterns]:
    """The patterns for each rank that is accepted."""
    by_rank = {}
    for ranks in wanted or _ranks(len(probed.arrays)):
        tried = (_patterns(probed, node, picked, sizes) for sizes in shapes.assignments(ranks))
        patterns = next((patterns for patterns in tried if patterns is not None), None)
        if patterns is not None:
            by_rank[ranks] = patterns
    if len({len(patterns) for patterns in by_rank.values()}) > 1:
        raise UnstableError
    return by_rank


def _ranks(count: int) -> Iterator[Ranks]:
    if count == 2:
        yield from itertools.product(range(4), repeat=2)
    else:
        yield from [(rank,) * count for rank in shapes.RANKS] if count else [()]


def _patterns(
    probed: Probe, node: str, picked: Picked, sizes: list[tuple[shapes.Shape, ...]]
) -> Patterns | None:
    tried = [
        (operands, settings)
        for operands in sizes
        for settings in _settings(picked, operands[0] if operands else ())
    ]
    calls = [probed.call([Spec(node, shape) for shape in operands], settings) for operands, settings in tried]
    accepted = [
        (operands, outcome)
        for (operands, _), outcome in zip(tried, probed.outcomes(calls) if calls else [], strict=True)
        if outcome is not None
    ]
    if len({_structure(outcome) for _, outcome in accepted}) > 1:
        raise UnstableError
    return _infer(accepted) if accepted else None


def _structure(outcome: Outcome) -> str:
    return outcome.kind if isinstance(outcome, Many) else type(outcome).__name__


def _settings(picked: Picked, shape: shapes.Shape) -> Iterator[dict[str, Any]]:
    options = {name: list(variant.values(shape)) for name, variant in picked.items() if variant}
    for values in itertools.islice(itertools.product(*options.values()), 24):
        yield dict(zip(options, values, strict=True))


def _infer(accepted: Sequence[tuple[tuple[shapes.Shape, ...], Outcome]]) -> Patterns:
    results = [(operands, [spec.shape for spec in arrays(outcome)]) for operands, outcome in accepted]
    count = {len(outputs) for _, outputs in results}
    if len(count) > 1:  # a list of varying length: all of its arrays together
        return (shapes.infer([(operands, shape) for operands, outputs in results for shape in outputs]),)
    return tuple(
        shapes.infer([(operands, outputs[place]) for operands, outputs in results])
        for place in range(count.pop())
    )


#: Parameters of which each value has its own patterns, and the highest rank for which they are told apart.
AXES = ("axis", "axis1", "dimension")
TOLD_APART = 3


def axes_told_apart(probed: Probe, node: str, group: Group) -> Group:
    """The group with the patterns of every single axis, where they say more."""
    name = next((name for name in AXES if group.choices.get(name, _NOTHING).annotations == ("int",)), None)
    if name is None:
        return group
    picked = {other: _variant(probed, other, choice) for other, choice in group.choices.items()}
    told_apart = []
    for ranks, patterns in sorted(group.patterns.items()):
        if ranks and ranks[0] <= TOLD_APART and any(None in (pattern or ()) for pattern in patterns):
            for single in _single_axes(picked[name], ranks[0]):
                table = patterns_by_rank(probed, node, {**picked, name: single}, [ranks])
                if table.get(ranks, patterns) != patterns:
                    chosen = Choice((single.annotation,), _default(probed, name) in single.values(()))
                    told_apart.append(({**group.choices, name: chosen}, ranks, table[ranks]))
    return group._replace(told_apart=tuple(told_apart))


_NOTHING = Choice((), True)


def _variant(probed: Probe, name: str, choice: Choice) -> Variant | None:
    """A variant that stands for the choice; None for leaving the parameter out."""
    variants = probed.variants(next(argument for argument in probed.parameters if argument.name == name))
    wanted = () if choice.left_out and choice.annotations != ("int",) else choice.annotations
    return next((variant for variant in variants if variant.annotation in wanted), None)


def _single_axes(every: Variant | None, rank: int) -> Iterator[Variant]:
    """A variant for each axis, counted from the front and from the back."""
    size = len(list(every.values((1,) * rank))) // 2 if every else 0
    for axis in range(size):
        yield always(f"Literal[{axis}, {axis - size}]", axis, axis - size)


def _default(probed: Probe, name: str) -> Any:
    return next(argument.parameter.default for argument in probed.parameters if argument.name == name)


def merged(groups: list[Group]) -> list[Group]:
    """Groups with the same patterns that differ in one parameter become one."""
    for first, other in itertools.combinations(groups, 2):
        union = _union(first, other)
        if union is not None:
            return merged([union if group is first else group for group in groups if group is not other])
    return [group for group in groups if group.patterns]


def _union(group: Group, other: Group) -> Group | None:
    different = [name for name in group.choices if group.choices[name] != other.choices[name]]
    if not shapes.agree(group.patterns, other.patterns) or len(different) != 1:
        return None
    name = different[0]
    first, second = group.choices[name], other.choices[name]
    both = Choice(
        tuple(dict.fromkeys((*first.annotations, *second.annotations))), first.left_out or second.left_out
    )
    return Group({**group.choices, name: both}, {**group.patterns, **other.patterns})
