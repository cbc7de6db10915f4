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


def studies(probed: Probe) -> list[Study]:
    """Find out about a function; nothing where no call is known that it accepts or its result has no arrays.

    A function of which the dtype depends on another argument is a function for each variant of that.
    """
    try:
        study = _study(probed)
    except UnstableError:
        return []
    if study is None:
        return []
    unsettled = options.unsettled(study.probe, study.base)
    if unsettled is None or len(probed.pinned) == VARIED_TOGETHER:
        return [study]
    each = [studies(probed.pin(unsettled.name, (variant,))) for variant in probed.variants(unsettled)]
    return [single for several in each for single in several]


def _study(probed: Probe) -> Study | None:
    if any(
        not probed.variants(required) and required.name not in probe.DTYPE for required in probed.required
    ):
        return None
    made = probe.base(probed)
    if made is None:
        return None
    dtypes = probe.dtypes_of(probed, made)
    result = _usual_outcome(probed, made)
    if not dtypes or result is None or len(arrays(result)) != len(dtypes):
        return None
    if options.unsettled(probed, made) or any(argument.name in probe.DTYPE for argument in probed.required):
        dtypes = (claims.UNKNOWN,) * len(dtypes)
    safe: dict[str, Choice | None] = {}
    for option in probed.optional:
        if kept := options.safe_variants(probed, made, option):
            scalar = option.role == STATIC and not {"Array", "ArrayLike"} & set(option.members)
            whole = scalar and len(kept) == len(probed.variants(option))
            safe[option.name] = None if whole else Choice(tuple(variant.annotation for variant in kept), True)
            probed = probed.pin(option.name, tuple(kept), free=True)
    varied, free = grouping.roles_of_options(
        probed, made.node, [option for option in probed.optional if option.name in safe]
    )
    groups = grouping.merged(
        [
            Group(grouping.choices_of(picked), grouping.patterns_by_rank(probed, made.node, picked))
            for picked in grouping.combinations(probed, varied)
        ]
    )
    groups = [grouping.axes_told_apart(probed, made.node, group) for group in groups]
    done = Study(
        probed,
        made,
        dtypes,
        result,
        groups,
        safe,
        free,
        options.takes_dtype(probed, made),
        options.scalars(probed, made),
    )
    if not pairs.is_pair(probed):
        return done._replace(data=options.data(probed, made))
    relation = None if varied else pairs.relation(probed, made)
    if relation is None:
        return done
    return done._replace(relation=relation, operands=pairs.scalars(probed, made, dtypes))


def _usual_outcome(probed: Probe, made: Base) -> Outcome:
    calls = [probed.call([Spec(node, shape) for shape in made.shapes], made.settings) for node in probe.USUAL]
    return next((outcome for outcome in probed.outcomes(calls) if outcome is not None), None)
