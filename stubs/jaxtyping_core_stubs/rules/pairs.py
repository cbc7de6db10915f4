"""Functions of two arrays: how the shape follows from both, and what Python scalars do."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..probing.evaluate import Outcome, Spec, arrays
from ..probing.parameters import ARRAY
from . import claims, probe
from .claims import Claim
from .probe import Base, Probe
from .shapes import Shape

#: The shape of the result: that of both broadcast together, or that of one of them.
BROADCAST, FIRST, SECOND = "broadcast", "first", "second"

_SHAPES: tuple[Shape, ...] = ((), (1,), (3,), (4, 3), (1, 3), (4, 1), (2, 4, 3), (2, 1, 3), (5,))


class Scalars(NamedTuple):
    """What becomes of Python scalars as one operand or as both: by their types, dtype claims or dtypes."""

    second: dict[str, tuple[Claim, ...]]
    first: dict[str, tuple[Claim, ...]]
    both: dict[tuple[str, ...], tuple[str, ...]]


def is_pair(one: Probe) -> bool:
    """Whether a function takes two arrays."""
    return [given.role for given in one.arrays] == [ARRAY, ARRAY]


def relation(one: Probe, made: Base) -> str | None:
    """How the shapes of all results follow from those of the operands; None for any other way."""
    pairs = list(itertools.product(_SHAPES, repeat=2))
    calls = [one.call([Spec(made.node, a), Spec(made.node, b)], made.settings) for a, b in pairs]
    outcomes = zip(pairs, one.outcomes(calls), strict=True)
    accepted = [(pair, outcome) for pair, outcome in outcomes if outcome is not None]
    if len(accepted) < 5:
        return None
    expected: dict[str, Callable[[Shape, Shape], Shape | None]] = {
        BROADCAST: _broadcast,
        FIRST: lambda a, b: a,
        SECOND: lambda a, b: b,
    }
    return next(
        (
            name
            for name, shape in expected.items()
            if all(_all_have(outcome, shape(*pair)) for pair, outcome in accepted)
        ),
        None,
    )


def _broadcast(first: Shape, second: Shape) -> Shape | None:
    try:
        return tuple(np.broadcast_shapes(first, second))
    except ValueError:
        return None


def _all_have(outcome: Outcome, shape: Shape | None) -> bool:
    return all(spec.shape == shape for spec in arrays(outcome))


#: The shapes of the array beside a scalar that are tried: the array's own, and another; or one of them alone.
Beside = tuple[Shape, ...]


def scalars(one: Probe, made: Base, known: tuple[Claim, ...], shapes: Beside = ()) -> Scalars:
    """What becomes of Python scalars."""
    scalars = both(one, made)
    if all(claim.kind in ("constant", "unknown") for claim in known):
        constant = dict.fromkeys(probe.PYTHON, known)
        return Scalars(constant, constant, scalars)
    second, first = (
        {kind: _with_scalar(one, made, kind, place, shapes) for kind in probe.PYTHON} for place in (1, 0)
    )
    return Scalars(_accepted(second), _accepted(first), scalars)


def both(one: Probe, made: Base) -> dict[tuple[str, ...], tuple[str, ...]]:
    """What becomes of two Python scalars, where they are as arrays of rank 0."""
    return {
        pair: found
        for pair in itertools.product(probe.PYTHON, repeat=2)
        if (found := _both(one, made, pair)) is not None
    }


def _accepted(found: dict[str, tuple[Claim, ...]]) -> dict[str, tuple[Claim, ...]]:
    return {kind: claim for kind, claim in found.items() if claim and claims.UNKNOWN not in claim}


def _with_scalar(one: Probe, made: Base, kind: str, place: int, shapes: Beside = ()) -> tuple[Claim, ...]:
    """The claims about the dtype of the array, where the operand in `place` is a scalar."""
    value = probe.PYTHON[kind]
    here, *elsewhere = (
        _seen_with_scalar(one, made, value, place, shape)
        for shape in (shapes or (made.shapes[1 - place], ()))
    )
    return tuple(
        claims.find(here[index], [seen[index] for seen in elsewhere if index in seen], beside=COUNTS_AS[kind])
        for index in sorted(here)
    )


#: What a Python scalar counts as in promotion.
COUNTS_AS = {"bool": "bool", "int": "weak_int", "float": "weak_float", "complex": "weak_complex"}


def trailing(one: Probe, made: Base, shapes: Beside = ()) -> dict[str, tuple[Claim, ...]]:
    """The claims about the dtype of the first of three arrays or more, where the others are scalars of one type."""
    if len(one.arrays) < 3 or any(given.role != ARRAY for given in one.arrays):
        return {}
    kinds = {kind: _with_scalar(one, made, kind, 1, shapes) for kind in ("int", "float")}
    return _accepted(kinds)


def beside(one: Probe, made: Base, known: tuple[Claim, ...]) -> tuple[tuple[int, str], ...]:
    """The places of three arrays or more, and the types of scalars that count there as the claims say."""
    if len(one.arrays) not in (3, 4) or any(given.role != ARRAY for given in one.arrays):
        return ()
    places = itertools.product(range(len(one.arrays)), ("bool", "int", "float"))
    return tuple((place, kind) for place, kind in places if _counts(one, made, known, place, kind))


def _counts(one: Probe, made: Base, known: tuple[Claim, ...], place: int, kind: str) -> bool:
    """Whether a scalar in a place gives what an array without dims of its weak type would."""
    count = len(one.arrays) - 1
    rest = [
        *itertools.product(probe.FEWEST, repeat=count),
        *((node,) * count for node in ("bool", "weak_int")),
    ]
    seen: list[dict[claims.Inputs, claims.Pair]] = [{} for _ in known]
    modes = [_outcomes_beside(one, made, rest, place, kind, x64) for x64 in (False, True)]
    for others, low, high in zip(rest, *modes, strict=True):
        inputs = (*others[:place], COUNTS_AS[kind], *others[place:])
        for index, (off, on) in enumerate(zip(arrays(low), arrays(high), strict=False)):
            seen[index][inputs] = (off.node, on.node)
    return all(found and claims.holds(claim, found) for claim, found in zip(known, seen, strict=True))


def _outcomes_beside(
    one: Probe, made: Base, rest: Sequence[tuple[str, ...]], place: int, kind: str, x64: bool
) -> list[Outcome]:
    """What calls give where the array in a place is a scalar, if the others keep the shape of the result."""
    shape = next(shape for index, shape in enumerate(made.shapes) if index != place)
    value = probe.PYTHON[kind]
    specs = [[Spec(node, shape) for node in nodes] for nodes in rest]
    calls = [one.call([*others[:place], value, *others[place:]], made.settings) for others in specs]
    outcomes = one.outcomes(calls, x64)
    return [None if outcome is None or not _all_have(outcome, shape) else outcome for outcome in outcomes]


def _seen_with_scalar(
    one: Probe, made: Base, value: Any, place: int, shape: Shape
) -> dict[int, dict[claims.Inputs, claims.Pair]]:
    results = []
    for x64 in (False, True):
        nodes = [node for node in probe.PAIRED if x64 or not claims.wide((node,))]
        operands = [Spec(node, shape) for node in nodes]
        values = (value,) * (len(one.arrays) - 1)
        calls = [one.call((spec, *values) if place else (*values, spec), made.settings) for spec in operands]
        results.append(dict(zip(nodes, one.outcomes(calls, x64), strict=True)))
    seen: dict[int, dict[claims.Inputs, claims.Pair]] = {}
    off, on = results
    for node, outcome in on.items():
        wide = arrays(outcome)
        narrow = arrays(off.get(node, outcome))
        for index, (low, high) in enumerate(zip(narrow, wide, strict=False)):
            seen.setdefault(index, {})[(node,)] = (low.node, high.node)
    return seen


def _both(one: Probe, made: Base, kinds: tuple[str, ...]) -> tuple[str, ...] | None:
    values = [probe.PYTHON[kind] for kind in kinds]
    modes = [one.outcomes([one.call(values, made.settings)], x64)[0] for x64 in (False, True)]
    off, on = ([spec.node for spec in arrays(outcome)] for outcome in modes)
    array = one.outcomes([one.call([Spec(made.node), Spec(made.node)], made.settings)])[0]
    like_arrays = [spec.shape for spec in arrays(array)] == [spec.shape for spec in arrays(modes[0])]
    if None in modes or len(off) != len(on) or not like_arrays:
        return None
    return tuple(itertools.starmap(probe.spelled, zip(off, on, strict=True)))


#: The annotation of each type of Python scalar as an operand: none accepts the one before it but an int a bool.
OPERANDS = {"bool": "_bool", "int": "int", "float": "_PyFloat", "complex": "_PyComplex"}


def both_rows(found: dict[tuple[str, ...], tuple[str, ...]]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The types of two scalars that give the same, each accepting those before it, with what they give."""
    order = list(probe.PYTHON)
    told: set[tuple[str, ...]] = set()
    for count in range(1, len(order) + 1):
        pairs = set(itertools.product(order[:count], repeat=2)) - told
        results = {found.get(pair) for pair in pairs}
        if len(results) == 1 and (result := results.pop()) is not None:
            yield order[count - 1], result
        elif results != {None}:
            return
        told |= pairs
