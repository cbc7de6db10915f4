"""Values to call functions with, by the names of their parameters.

A variant is a set of values that an annotation stands for: rows of overloads differ by variants. The values may depend
on the shape of the first array. Values that a function refuses do no harm: they say nothing.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import jax
import numpy as np

from .evaluate import Spec

Shape = tuple[int, ...]


class Variant(NamedTuple):
    """An annotation with values of it."""

    annotation: str
    values: Callable[[Shape], Iterable[Any]]


def always(annotation: str, *values: Any) -> Variant:
    """A variant with the same values for every shape."""
    return Variant(annotation, lambda shape: values)


def _axes(shape: Shape) -> list[int]:
    return list(range(-len(shape), len(shape)))


def _pairs(shape: Shape) -> list[Shape]:
    return [(a, b) for a in range(len(shape)) for b in range(len(shape)) if a != b]


def _permutations(shape: Shape) -> list[Shape]:
    return list(itertools.permutations(range(len(shape))))


def _new_axes(shape: Shape) -> list[int]:
    return list(range(-len(shape) - 1, len(shape) + 1))


def _fitting(rank: int) -> Callable[[Shape], list[Shape]]:
    """Shapes of a rank that an array of a given shape can be reshaped or broadcast to."""

    def values(shape: Shape) -> list[Shape]:
        more = rank - len(shape)
        larger = [(9, 8, 6, 4)[:more] + shape] if more >= 0 else []
        total = int(np.prod(shape))
        fitting = [*larger, (total, *[1] * (rank - 1)), (*[1] * (rank - 1), total)]
        return [*fitting, (5, 4, 3, 8)[:rank]] if rank else [()]

    return values


def _tuples(rank: int) -> str:
    return f"tuple[{', '.join(['int'] * rank) or '()'}]"


def _axis_sets(shape: Shape) -> list[Shape]:
    """Tuples of axes: of all, of none, of one."""
    return [*_permutations(shape), (), *((axis,) for axis in range(len(shape)))]


def _sizes(shape: Shape) -> list[Shape]:
    return [(2,), (3, 4), (5, 2, 3)]


NONE = always("None", None)
FALSE = always("Literal[False]", False)
TRUE = always("Literal[True]", True)
INT = Variant("int", _axes)
PAIR = Variant("tuple[int, int]", _pairs)
SHAPES = [Variant(_tuples(rank), _fitting(rank)) for rank in range(5)]
RANK_1 = Variant("int", lambda shape: [int(np.prod(shape)), *((shape[0],) if len(shape) == 1 else ()), 4])

#: The variants of a parameter by its name.
VARIANTS: dict[str, list[Variant]] = {
    "axis": [NONE, INT, PAIR],
    "axes": [NONE, PAIR, Variant("Sequence[int]", _axis_sets)],
    "axis1": [INT],
    "axis2": [INT],
    "source": [INT],
    "destination": [INT],
    "keepdims": [FALSE, TRUE],
    "shape": [RANK_1, *SHAPES],
    "n": [NONE, always("int", 1, 2, 3)],
    "num": [always("int", 3, 4)],
    "k": [always("int", 0, 1, -1)],
    "N": [NONE, always("int", 2, 3)],
    "M": [NONE, always("int", 4, 6)],
    "m": [NONE, always("int", 1, 2)],
    "norm": [always("str | None", None, "ortho", "forward")],
    "offset": [always("int", 0, 1)],
    "decimals": [always("int", 0, 2)],
    "ddof": [always("int", 0, 1)],
    "correction": [always("int | float | None", 0, 1.0, None)],
    "deg": [always("int", 1, 2)],
    "reps": [always("int", 2, 3)],
    "repeats": [always("int", 2, 3)],
    "shift": [always("int", 1)],
    "num_classes": [always("int", 4, 6)],
    "num_segments": [NONE, always("int", 4, 6)],
    "indices_or_sections": [always("int", 1, 2, 3)],
    "loc": [always("int", 0, 1), always("float", 0.5)],
    "scale": [always("int", 1, 2), always("float", 0.5)],
    "method": [always("str", "linear", "nearest", "lower", "scan", "sort", "compare_all", "auto")],
    "side": [always("str", "left", "right")],
    "mode": [always("str", "clip", "fill", "full", "same", "valid", "reduced", "constant", "edge", "wrap")],
    "order": [always("str | None", None, "K")],
    "UPLO": [always("str | None", "L", "U")],
    "key": [always("Array", jax.random.key(0), jax.random.PRNGKey(0))],
    "negative_slope": [always("float", 0.01)],
    "dimensions": [Variant("Sequence[int]", _axis_sets)],
    "permutation": [Variant("Sequence[int]", _axis_sets)],
    "padding_config": [Variant("Sequence[tuple[int, int, int]]", lambda shape: [((1, 2, 0),) * len(shape)])],
    "size": [NONE, always("int", 3, 5)],
    "new_sizes": [*SHAPES],
    "dimension": [INT],
    "minlength": [always("int", 0, 5)],
    "length": [NONE, always("int", 4, 6)],
    "seed": [always("int", 0, 1)],
    "dtype": [],
    "pad_width": [always("int", 1)],
    "where": [NONE, Variant("Array", lambda shape: [Spec("bool", shape), Spec("bool")])],
    "initial": [NONE, always("int", 0)],
    "precision": [always("Any", None, "high")],
    "newshape": [RANK_1, *SHAPES],
}

#: An array that must have the shape of the result: rows fill it in.
OF_RESULT = "Array[Any, {shape}]"

#: The variants where a function means something else by a name.
SPECIAL: dict[tuple[str, str], list[Variant]] = {
    ("jax.numpy.expand_dims", "axis"): [Variant("int", _new_axes), PAIR],
    ("jax.numpy.arange", "start"): [always("int", 5, 2), always("float", 5.0)],
    ("jax.numpy.arange", "stop"): [NONE, always("int", 9), always("float", 9.0)],
    ("jax.numpy.arange", "step"): [NONE, always("int", 2), always("float", 0.5)],
    ("jax.numpy.clip", "min"): [NONE, always("int", 0), always("float", 0.5)],
    ("jax.numpy.clip", "max"): [NONE, always("int", 3), always("float", 0.5)],
    ("jax.numpy.where", "condition"): [
        always("_bool", True),
        always("Array[Any, tuple[()]]", Spec("bool")),
        Variant(OF_RESULT, lambda shape: [Spec("bool", shape)]),
    ],
    ("jax.numpy.indices", "dimensions"): [Variant("Sequence[int]", _sizes)],
    ("jax.nn.one_hot", "axis"): [Variant("int", _new_axes)],
    ("jax.numpy.stack", "axis"): [Variant("int", _new_axes)],
    ("jax.lax.expand_dims", "dimensions"): [
        Variant("tuple[int]", lambda shape: [(axis,) for axis in _new_axes(shape)])
    ],
    ("jax.numpy.linalg.matrix_power", "n"): [always("int", 0, 1, 2, 3, -1)],
    ("jax.numpy.diff", "n"): [always("int", 1, 2)],
    ("jax.numpy.identity", "n"): [always("int", 2, 3)],
}

#: Booleans, unless there is more to say of them.
BOOLS = [FALSE, TRUE]


@functools.cache
def variants(path: str, name: str, members: tuple[str, ...]) -> tuple[Variant, ...]:
    """The variants to call the function `path` with; none where nothing is known of the parameter."""
    known = SPECIAL.get((path, name), VARIANTS.get(name))
    if known is None and set(members) <= {"_bool", "None"} and "_bool" in members:
        known = BOOLS
    return tuple(known or ())
