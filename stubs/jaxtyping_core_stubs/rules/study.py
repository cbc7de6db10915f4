"""What is found out about a function: its dtype claims, and its patterns of dims by the parameters that they depend on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..probing.evaluate import Outcome, Spec, arrays
from ..probing.parameters import STATIC
from . import claims, grouping, options, pairs, probe
from .claims import Claim
from .grouping import VARIED_TOGETHER, Choice, Group, UnstableError
from .probe import Base, Probe


class Study(NamedTuple):
    """What was found out."""

    probe: Probe
    base: Base
    claims: tuple[Claim, ...]  # for each array in the result
    result: Outcome  # of one call
    groups: list[Group]
    safe: dict[
        str, Choice | None
    ]  # optional parameters that do not change the dtype; None: whatever they are
    free: dict[str, Choice]  # those that change nothing at all, with what they were tried with
    takes_dtype: str | None  # the parameter that the dtype of the result is given with
    scalars: dict[str, tuple[str, ...]]  # Python scalar type -> the dtype of each array in the result
    relation: str | None = None  # of the shapes of two arrays
    operands: pairs.Scalars | None = None  # what Python scalars do as one of two operands
    data: Mapping[str, tuple[str, int]] = {}  # nested sequences -> the dtype and the rank of the result


def studies(one: Probe) -> list[Study]:
    """Find out about a function; nothing where no call is known that it accepts or its result has no arrays.

    A function of which the dtype depends on another argument is a function for each variant of that.
    """
    try:
        found = _study(one)
    except UnstableError:
        return []
    if found is None:
        return []
    unsettled = options.unsettled(found.probe, found.base)
    if unsettled is None or len(one.pinned) == VARIED_TOGETHER:
        return [found]
    each = [studies(one.pin(unsettled.name, (variant,))) for variant in one.variants(unsettled)]
    return [single for several in each for single in several]


def _study(one: Probe) -> Study | None:
    if any(not one.variants(required) and required.name not in probe.DTYPE for required in one.required):
        return None
    made = probe.base(one)
    if made is None:
        return None
    found = probe.dtypes_of(one, made)
    result = _usual_outcome(one, made)
    if not found or result is None or len(arrays(result)) != len(found):
        return None
    if options.unsettled(one, made) or any(given.name in probe.DTYPE for given in one.required):
        found = (claims.UNKNOWN,) * len(found)
    safe: dict[str, Choice | None] = {}
    for option in one.optional:
        if kept := options.safe_variants(one, made, option):
            scalar = option.role == STATIC and not {"Array", "ArrayLike"} & set(option.members)
            whole = scalar and len(kept) == len(one.variants(option))
            safe[option.name] = None if whole else Choice(tuple(variant.annotation for variant in kept), True)
            one = one.pin(option.name, tuple(kept), free=True)
    varied, free = grouping.roles_of_options(
        one, made.node, [option for option in one.optional if option.name in safe]
    )
    groups = grouping.merged(
        [
            Group(grouping.choices_of(picked), grouping.patterns_by_rank(one, made.node, picked))
            for picked in grouping.combinations(one, varied)
        ]
    )
    groups = [grouping.axes_told_apart(one, made.node, group) for group in groups]
    done = Study(
        one,
        made,
        found,
        result,
        groups,
        safe,
        free,
        options.takes_dtype(one, made),
        options.scalars(one, made),
    )
    if not pairs.is_pair(one):
        return done._replace(data=options.data(one, made))
    relation = None if varied else pairs.relation(one, made)
    if relation is None:
        return done
    return done._replace(relation=relation, operands=pairs.scalars(one, made, found))


def _usual_outcome(one: Probe, made: Base) -> Outcome:
    calls = [one.call([Spec(node, shape) for shape in made.shapes], made.settings) for node in probe.USUAL]
    return next((outcome for outcome in one.outcomes(calls) if outcome is not None), None)
