"""What is found out about a function: its dtype claims, and its patterns of dims by the parameters that they depend on."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from jaxtyping_core import dtypes

from ..probing.evaluate import Many, Outcome, Spec, arrays
from ..probing.parameters import SEQUENCE, STATIC, Given
from ..probing.samples import Variant, always
from . import claims, pairs, probe, shapes
from .claims import Claim
from .probe import Base, Probe

#: The ranks of the arrays of a call.
Ranks = tuple[int, ...]
#: The pattern of each array in the result; None for one of unknown rank.
Patterns = tuple[shapes.Pattern | None, ...]

#: At most so many parameters are varied together; the others stay out of the rows where they matter.
VARIED_TOGETHER = 2
#: Parameters of which all other rules depend.
NEVER_VARIED = frozenset({"dtype", "out", "device", "out_sharding", "sharding", "key"})
DTYPE = probe.DTYPE


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


class Known(NamedTuple):
    """What is known of the arrays of some shapes: fields of a study."""

    claims: tuple[Claim, ...]
    operands: pairs.Scalars | None
    trailing: Mapping[str, tuple[Claim, ...]]
    beside: tuple[tuple[int, str], ...]


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
    trailing: Mapping[str, tuple[Claim, ...]] = {}  # what scalars of a type do as all arrays but the first
    beside: tuple[tuple[int, str], ...] = ()  # scalars that count as weak arrays: place, type
    data: Mapping[str, tuple[str, int]] = {}  # nested sequences -> the dtype and the rank of the result

    alone: Known | None = None  # what more is known where no array has dims
    with_dims: Known | None = None  # and where all arrays have dims, as many each
    joining: tuple[Any, ...] = ()  # parameters that take part in promotion, found out later

    def known(self) -> Iterator[Claim]:
        """All claims."""
        yield from (claim for one in self.joining for claim in (one.claim, one.with_dims))
        for part in (self, self.alone, self.with_dims):
            if part is not None:
                yield from _known(part)


def _known(part: Known | Study) -> Iterator[Claim]:
    yield from part.claims
    beside = (part.operands.first, part.operands.second) if part.operands else ()
    for each in (*beside, part.trailing):
        yield from (claim for several in each.values() for claim in several)


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
    unsettled = _unsettled(found.probe, found.base)
    if unsettled is None or len(one.pinned) == VARIED_TOGETHER:
        return [found]
    each = [studies(one.pin(unsettled.name, (variant,))) for variant in one.variants(unsettled)]
    return [single for several in each for single in several]


def _study(one: Probe) -> Study | None:
    if any(not one.variants(required) and required.name not in DTYPE for required in one.required):
        return None
    made = probe.base(one)
    if made is None:
        return None
    found = probe.dtypes_of(one, made)
    result = _usual_outcome(one, made)
    if not found or result is None or len(arrays(result)) != len(found):
        return None
    if _unsettled(one, made) or any(given.name in DTYPE for given in one.required):
        found = (claims.UNKNOWN,) * len(found)
    safe: dict[str, Choice | None] = {}
    for option in one.optional:
        if kept := _safe_variants(one, made, option):
            scalar = option.role == STATIC and not {"Array", "ArrayLike"} & set(option.members)
            whole = scalar and len(kept) == len(one.variants(option))
            safe[option.name] = None if whole else Choice(tuple(variant.annotation for variant in kept), True)
            one = one.pin(option.name, tuple(kept), free=True)
    varied, free = _roles_of_options(
        one, made.node, [option for option in one.optional if option.name in safe]
    )
    groups = merged(
        [Group(_choices(picked), _table(one, made.node, picked)) for picked in _combinations(one, varied)]
    )
    groups = [_axes_told_apart(one, made.node, group) for group in groups]
    done = Study(one, made, found, result, groups, safe, free, _takes_dtype(one, made), _scalars(one, made))
    if not pairs.is_pair(one):
        done = done._replace(
            data=_data(one, made), trailing=pairs.trailing(one, made), beside=pairs.beside(one, made, found)
        )
        return _by_rank(done)
    relation = None if varied else pairs.relation(one, made)
    if relation is None:
        return done._replace(operands=pairs.Scalars({}, {}, pairs.both(one, made)))
    return _by_rank(done._replace(relation=relation, operands=pairs.scalars(one, made, found)))


def _by_rank(found: Study) -> Study:
    """What is known, with what else is known of arrays without dims and of those with dims, if that is more."""
    one, made = found.probe, found.base
    if not _leaves_open(found) or len(set(made.shapes)) != 1 or made.shapes[0] == ():
        return found
    alone, with_dims = probe.dtypes_by_rank(one, made)
    if not len(alone) == len(with_dims) == len(found.claims):
        return found
    shape = made.shapes[0]
    return found._replace(
        alone=_at(found, alone, ((),)), with_dims=_at(found, with_dims, (shape, probe.DEEPER))
    )


def _leaves_open(found: Study) -> bool:
    """Whether a table of the function leaves some dtype open, be it one that hardly anyone has."""
    results = (pair for claim in _known(found) for node, pair in claim.results if node != "weak_complex")
    return claims.OPEN in results


def _at(found: Study, known: tuple[Claim, ...], shapes: pairs.Beside) -> Known:
    """What is known of arrays of some shapes."""
    one, made = found.probe, found.base
    operands = pairs.scalars(one, made, known, shapes) if found.operands else None
    trailing = {} if found.operands else pairs.trailing(one, made, shapes)
    return Known(known, operands, trailing, pairs.beside(one, made, known) if shapes[0] else ())


def _usual_outcome(one: Probe, made: Base) -> Outcome:
    calls = [one.call([Spec(node, shape) for shape in made.shapes], made.settings) for node in probe.USUAL]
    return next((outcome for outcome in one.outcomes(calls) if outcome is not None), None)


# dtypes


def _unsettled(one: Probe, made: Base) -> Given | None:
    """What every call must have and the dtype of the result depends on."""
    return next(
        (
            given
            for given in one.required
            if given.name not in NEVER_VARIED and given.name not in DTYPE
            if len(_safe_variants(one, made, given)) < len(one.variants(given))
        ),
        None,
    )


def _safe_variants(one: Probe, made: Base, option: Given) -> list[Variant]:
    """The variants of a parameter that were not seen to change the dtype of the result."""
    if option.name in NEVER_VARIED:
        return []
    return [variant for variant in one.variants(option) if _keeps_dtype(one, made, option, variant)]


#: A shape with enough dims for whatever a parameter may say of axes.
_LARGE = (2, 3, 3)


def _keeps_dtype(one: Probe, made: Base, option: Given, variant: Variant) -> bool:
    """Whether the values of a variant were seen not to change the dtype of the result."""
    large = made._replace(shapes=(_LARGE,) * len(made.shapes))
    found = (_changes_dtype(one, tried, option, variant) for tried in (made, large))
    changes = next((change for change in found if change is not None), None)
    return changes is False or (changes is None and option.name in made.settings)


def _changes_dtype(one: Probe, made: Base, option: Given, variant: Variant) -> bool | None:
    """Whether a value changes the dtype of the result; None where no call with one is accepted."""
    values = list(variant.values(made.shapes[0] if made.shapes else ()))
    seen = None
    for x64 in (False, True):
        keys = list(probe.few_inputs(len(one.arrays)))
        plain = one.outcomes([_call(one, made, key, {}) for key in keys], x64)
        for value in values:
            changed = one.outcomes([_call(one, made, key, {option.name: value}) for key in keys], x64)
            for before, after in zip(plain, changed, strict=True):
                if before is not None and after is not None:
                    seen = False
                    if _nodes(before) != _nodes(after):
                        return True
    return seen


def _call(one: Probe, made: Base, key: claims.Inputs, more: Mapping[str, Any]) -> Any:
    specs = [Spec(node, shape) for node, shape in zip(key, made.shapes, strict=True)]
    return one.call(specs, {**made.settings, **more})


def _nodes(outcome: Outcome) -> set[str] | list[str]:
    """The dtypes in a result; how many arrays a list has does not matter."""
    nodes = [spec.node for spec in arrays(outcome)]
    return set(nodes) if isinstance(outcome, Many) and outcome.kind == "list" else nodes


def _takes_dtype(one: Probe, made: Base) -> str | None:
    """The parameter that gives the dtype of the result, if it does so for every dtype."""
    name = next((given.name for given in one.parameters if given.name in DTYPE), None)
    if name is None:
        return None
    key = (made.node,) * len(one.arrays)
    shapes_seen = set()
    for x64 in (False, True):
        asked = [node for node in probe.strong_nodes() if x64 or not claims.wide((node,))]
        calls = [_call(one, made, key, {name: dtypes.numpy_dtype(node)}) for node in asked]
        for node, outcome in zip(asked, one.outcomes(calls, x64), strict=True):
            if outcome is not None:
                shapes_seen.add(tuple(_shapes(outcome)))
                if any(found != node for found in _nodes(outcome)) or len(shapes_seen) > 1:
                    return None
    return name if shapes_seen else None


def _scalars(one: Probe, made: Base) -> dict[str, tuple[str, ...]]:
    """What a function of one array makes of Python scalars."""
    if len(one.arrays) != 1 or one.arrays[0].role == SEQUENCE:
        return {}
    found: dict[str, list[list[str]]] = {}
    for x64 in (False, True):
        calls = [one.call([value], made.settings) for value in probe.SCALARS.values()]
        array = one.outcomes([one.call([Spec(made.node)], made.settings)], x64)[0]
        for name, outcome in zip(probe.SCALARS, one.outcomes(calls, x64), strict=True):
            if outcome is not None and _shapes(outcome) == _shapes(array):
                found.setdefault(name, []).append([spec.node for spec in arrays(outcome)])
    return {
        name: tuple(itertools.starmap(probe.spelled, zip(*modes, strict=True)))
        for name, modes in found.items()
        if len(modes) == 2 and len(modes[0]) == len(modes[1])
    }


def _data(one: Probe, made: Base) -> dict[str, tuple[str, int]]:
    """What a function that takes any data makes of nested sequences."""
    if one.path not in TAKES_DATA:
        return {}
    found = {}
    for annotation, (value, rank) in probe.NESTED.items():
        modes = [one.outcomes([one.call([value], made.settings)], x64)[0] for x64 in (False, True)]
        if all(isinstance(outcome, Spec) and len(outcome.shape) == rank for outcome in modes):
            off, on = (spec.node for outcome in modes for spec in arrays(outcome))
            found[annotation] = (probe.spelled(off, on), rank)
    return found


#: Functions that make arrays of nested sequences.
TAKES_DATA = ("jax.numpy.array", "jax.numpy.asarray")


def _shapes(outcome: Outcome) -> list[shapes.Shape]:
    return [spec.shape for spec in arrays(outcome)]


# dims

Picked = Mapping[str, Variant | None]


def _combinations(one: Probe, varied: list[Given]) -> Iterator[dict[str, Variant | None]]:
    """The variants of the required parameters and of those that the dims depend on; None for left out."""
    required = one.required
    names = [given.name for given in (*required, *varied)]
    options: list[list[Variant | None]] = [
        [always("Any", *probe.values_of_dtype())] if given.name in DTYPE else list(one.variants(given))
        for given in required
    ]
    options += [[None, *one.variants(given)] for given in varied]
    for picked in itertools.product(*options):
        yield dict(zip(names, picked, strict=True))


def _choices(picked: Picked) -> dict[str, Choice]:
    return {
        name: Choice((variant.annotation,), False) if variant else Choice((), True)
        for name, variant in picked.items()
    }


def _roles_of_options(one: Probe, node: str, options: list[Given]) -> tuple[list[Given], dict[str, Choice]]:
    """The parameters that the dims depend on, and those that they do not depend on."""
    required = next(_combinations(one, []), {})
    plain = _table(one, node, required)
    varied: list[Given] = []
    free: dict[str, Choice] = {}
    for option in options:
        same = []
        for variant in one.variants(option):
            found = _table(one, node, {**required, option.name: variant}, list(plain))
            if shapes.agree(found, plain):
                same.append(variant.annotation)
        if len(same) == len(one.variants(option)) or len(varied) == VARIED_TOGETHER:
            if same:
                free[option.name] = Choice(tuple(same), True)
        else:
            varied.append(option)
    return varied, free


def _table(one: Probe, node: str, picked: Picked, wanted: list[Ranks] | None = None) -> dict[Ranks, Patterns]:
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


# groups


#: Parameters of which each value has its own patterns, and the highest rank for which they are told apart.
AXES = ("axis", "axis1", "dimension")
TOLD_APART = 3


def _axes_told_apart(one: Probe, node: str, group: Group) -> Group:
    """The group with the patterns of every single axis, where they say more."""
    name = next((name for name in AXES if group.choices.get(name, _NOTHING).annotations == ("int",)), None)
    if name is None:
        return group
    picked = {other: _variant(one, other, choice) for other, choice in group.choices.items()}
    found = []
    for ranks, patterns in sorted(group.patterns.items()):
        if ranks and ranks[0] <= TOLD_APART and any(None in (pattern or ()) for pattern in patterns):
            for single in _single_axes(picked[name], ranks[0]):
                table = _table(one, node, {**picked, name: single}, [ranks])
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


# groups


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
