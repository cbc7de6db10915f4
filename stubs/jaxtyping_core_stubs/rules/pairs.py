"""Functions of two arrays: how the shape follows from both, and what Python scalars do."""

from __future__ import annotations

import itertools
from collections.abc import Callable
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
    """What becomes of Python scalars as one operand: dtype claims by their types."""

    second: dict[str, tuple[Claim, ...]]
    first: dict[str, tuple[Claim, ...]]


def is_pair(probed: Probe) -> bool:
    """Whether a function takes two arrays."""
    return [argument.role for argument in probed.arrays] == [ARRAY, ARRAY]


def relation(probed: Probe, made: Base) -> str | None:
    """How the shapes of all results follow from those of the operands; None for any other way."""
    pairs = list(itertools.product(_SHAPES, repeat=2))
    calls = [probed.call([Spec(made.node, a), Spec(made.node, b)], made.settings) for a, b in pairs]
    outcomes = zip(pairs, probed.outcomes(calls), strict=True)
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


def scalars(probed: Probe, made: Base, known: tuple[Claim, ...]) -> Scalars:
    """What becomes of Python scalars."""
    if all(claim.kind in ("constant", "unknown") for claim in known):
        constant = dict.fromkeys(probe.PYTHON, known)
        return Scalars(constant, constant)
    second, first = (
        {kind: _with_scalar(probed, made, kind, place) for kind in probe.PYTHON} for place in (1, 0)
    )
    return Scalars(_accepted(second), _accepted(first))


def _accepted(by_kind: dict[str, tuple[Claim, ...]]) -> dict[str, tuple[Claim, ...]]:
    return {kind: claim for kind, claim in by_kind.items() if claim and claims.UNKNOWN not in claim}


def _with_scalar(probed: Probe, made: Base, kind: str, place: int) -> tuple[Claim, ...]:
    """The claims about the dtype of the array, where the operand in `place` is a scalar."""
    shapes = (made.shapes[1 - place], ())
    here, elsewhere = (_seen_with_scalar(probed, made, probe.PYTHON[kind], place, shape) for shape in shapes)
    return tuple(
        claims.find(here[index], [elsewhere[index]] if index in elsewhere else [], beside=COUNTS_AS[kind])
        for index in sorted(here)
    )


#: What a Python scalar counts as in promotion.
COUNTS_AS = {"bool": "bool", "int": "weak_int", "float": "weak_float", "complex": "weak_complex"}


def _seen_with_scalar(
    probed: Probe, made: Base, value: Any, place: int, shape: Shape
) -> dict[int, dict[claims.Inputs, claims.Pair]]:
    results = []
    for x64 in (False, True):
        nodes = [node for node in probe.PAIRED if x64 or not claims.wide((node,))]
        operands = [Spec(node, shape) for node in nodes]
        calls = [probed.call((spec, value) if place else (value, spec), made.settings) for spec in operands]
        results.append(dict(zip(nodes, probed.outcomes(calls, x64), strict=True)))
    seen: dict[int, dict[claims.Inputs, claims.Pair]] = {}
    off, on = results
    for node, outcome in on.items():
        wide = arrays(outcome)
        narrow = arrays(off.get(node, outcome))
        for index, (low, high) in enumerate(zip(narrow, wide, strict=False)):
            seen.setdefault(index, {})[(node,)] = (low.node, high.node)
    return seen
