"""How parameters change the dtype of a result: the ones that may be given, and the one that asks for a dtype."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from jaxtyping_core import dtypes

from ..probing.evaluate import Many, Outcome, Spec, arrays
from ..probing.parameters import SEQUENCE, Argument
from ..probing.samples import Variant
from . import claims, probe, shapes
from .probe import Base, Probe

#: Parameters of which all other rules depend.
NEVER_VARIED = frozenset({"dtype", "out", "device", "out_sharding", "sharding", "key"})


def unsettled(probed: Probe, made: Base) -> Argument | None:
    """What every call must have and the dtype of the result depends on."""
    return next(
        (
            argument
            for argument in probed.required
            if argument.name not in NEVER_VARIED and argument.name not in probe.DTYPE
            if len(safe_variants(probed, made, argument)) < len(probed.variants(argument))
        ),
        None,
    )


def safe_variants(probed: Probe, made: Base, option: Argument) -> list[Variant]:
    """The variants of a parameter that were not seen to change the dtype of the result."""
    if option.name in NEVER_VARIED:
        return []
    return [variant for variant in probed.variants(option) if _keeps_dtype(probed, made, option, variant)]


#: A shape with enough dims for whatever a parameter may say of axes.
_LARGE = (2, 3, 3)


def _keeps_dtype(probed: Probe, made: Base, option: Argument, variant: Variant) -> bool:
    """Whether the values of a variant were seen not to change the dtype of the result."""
    large = made._replace(shapes=(_LARGE,) * len(made.shapes))
    answers = (_changes_dtype(probed, tried, option, variant) for tried in (made, large))
    changes = next((change for change in answers if change is not None), None)
    return changes is False or (changes is None and option.name in made.settings)


def _changes_dtype(probed: Probe, made: Base, option: Argument, variant: Variant) -> bool | None:
    """Whether a value changes the dtype of the result; None where no call with one is accepted."""
    values = list(variant.values(made.shapes[0] if made.shapes else ()))
    seen = None
    for x64 in (False, True):
        keys = list(probe.few_inputs(len(probed.arrays)))
        plain = probed.outcomes([_call(probed, made, key, {}) for key in keys], x64)
        for value in values:
            changed = probed.outcomes([_call(probed, made, key, {option.name: value}) for key in keys], x64)
            for before, after in zip(plain, changed, strict=True):
                if before is not None and after is not None:
                    seen = False
                    if _nodes(before) != _nodes(after):
                        return True
    return seen


def _call(probed: Probe, made: Base, key: claims.Inputs, more: Mapping[str, Any]) -> Any:
    specs = [Spec(node, shape) for node, shape in zip(key, made.shapes, strict=True)]
    return probed.call(specs, {**made.settings, **more})


def _nodes(outcome: Outcome) -> set[str] | list[str]:
    """The dtypes in a result; how many arrays a list has does not matter."""
    nodes = [spec.node for spec in arrays(outcome)]
    return set(nodes) if isinstance(outcome, Many) and outcome.kind == "list" else nodes


def takes_dtype(probed: Probe, made: Base) -> str | None:
    """The parameter that gives the dtype of the result, if it does so for every dtype."""
    name = next((argument.name for argument in probed.parameters if argument.name in probe.DTYPE), None)
    if name is None:
        return None
    key = (made.node,) * len(probed.arrays)
    shapes_seen = set()
    for x64 in (False, True):
        asked = [node for node in probe.strong_nodes() if x64 or not claims.wide((node,))]
        calls = [_call(probed, made, key, {name: dtypes.numpy_dtype(node)}) for node in asked]
        for node, outcome in zip(asked, probed.outcomes(calls, x64), strict=True):
            if outcome is not None:
                shapes_seen.add(tuple(shapes_in(outcome)))
                if any(result != node for result in _nodes(outcome)) or len(shapes_seen) > 1:
                    return None
    return name if shapes_seen else None


def scalars(probed: Probe, made: Base) -> dict[str, tuple[str, ...]]:
    """What a function of one array makes of Python scalars."""
    if len(probed.arrays) != 1 or probed.arrays[0].role == SEQUENCE:
        return {}
    seen: dict[str, list[list[str]]] = {}
    for x64 in (False, True):
        calls = [probed.call([value], made.settings) for value in probe.PYTHON.values()]
        array = probed.outcomes([probed.call([Spec(made.node)], made.settings)], x64)[0]
        for name, outcome in zip(probe.PYTHON, probed.outcomes(calls, x64), strict=True):
            if outcome is not None and shapes_in(outcome) == shapes_in(array):
                seen.setdefault(name, []).append([spec.node for spec in arrays(outcome)])
    return {
        name: tuple(itertools.starmap(probe.spelled, zip(*modes, strict=True)))
        for name, modes in seen.items()
        if len(modes) == 2 and len(modes[0]) == len(modes[1])
    }


def data(probed: Probe, made: Base) -> dict[str, tuple[str, int]]:
    """What a function that takes any data makes of nested sequences."""
    if probed.path not in TAKES_DATA:
        return {}
    known = {}
    for annotation, (value, rank) in probe.NESTED.items():
        modes = [probed.outcomes([probed.call([value], made.settings)], x64)[0] for x64 in (False, True)]
        if all(isinstance(outcome, Spec) and len(outcome.shape) == rank for outcome in modes):
            off, on = (spec.node for outcome in modes for spec in arrays(outcome))
            known[annotation] = (probe.spelled(off, on), rank)
    return known


#: Functions that make arrays of nested sequences.
TAKES_DATA = ("jax.numpy.array", "jax.numpy.asarray")


def shapes_in(outcome: Outcome) -> list[shapes.Shape]:
    return [spec.shape for spec in arrays(outcome)]
