"""Whether the shape of a result follows from the sizes that a program states, and what it is for other sizes.

Where sizes have names, it does if JAX accepts the call for all sizes: a call that is right only for the suite's
sizes has no shape in names. Where some sizes are unknown, it does if all sizes that JAX accepts give the same shape.
"""

from __future__ import annotations

import itertools
import re
import warnings
from collections.abc import Iterable, Iterator

import jax

from conformance import truth, variables
from conformance.truth import ArrayOf, Items, Truth
from conformance.variables import Variable

#: Other sizes for each size of the suite. None is a multiple or a neighbour of another one in its row.
OTHERS = (
    {1: 1, 2: 5, 3: 7, 4: 9, 5: 11, 6: 13, 7: 16, 8: 17, 9: 19},
    {1: 1, 2: 8, 3: 5, 4: 11, 5: 7, 6: 17, 7: 13, 8: 23, 9: 14},
)
#: More of them, for sizes that are formulas: multiples, falling where those of the suite rise, equal ones.
FOR_FORMULAS = (
    {1: 1, 2: 24, 3: 48, 4: 16, 5: 32, 6: 72, 7: 8, 8: 96, 9: 120},
    {1: 1, 2: 9, 3: 8, 4: 7, 5: 6, 6: 5, 7: 4, 8: 3, 9: 2},
    {1: 1, **dict.fromkeys(range(2, 10), 6)},
)
#: Sizes that are tried for an unknown one, and how many choices of them at most.
TRIED = (0, 1, 2, 3, 4, 5, 6, 7)
MOST_CHOICES = 120


def is_determined(expression: str, actual: Truth, dims_as: str) -> bool:
    """Whether a shape that a checker leaves open could be known."""
    arrays = variables.arrays(expression)
    if dims_as == "names":
        results = [_result(expression, _renamed(arrays, sizes)) for sizes in OTHERS]
        return all(result is not None and _ranks(result) == _ranks(actual) for result in results)
    results = [_result(expression, choice) for choice in _choices(arrays)]
    return all(_shapes(result) == _shapes(actual) for result in results if result is not None)


def elsewhere(expression: str, revealed: str) -> Iterator[tuple[str, Truth]]:
    """For other sizes, a revealed type with names as if they were the suite's, and what JAX computes."""
    arrays = variables.arrays(expression)
    if not any(array.shape for array in arrays.values()):
        return
    for sizes in (*OTHERS, *(FOR_FORMULAS if "Literal['" in revealed else ())):
        result = _result(expression, _renamed(arrays, sizes))
        if result is not None:
            yield _named_anew(revealed, sizes), result


def _named_anew(revealed: str, sizes: dict[int, int]) -> str:
    return re.sub(r"\bD(\d)\b", lambda name: f"D{sizes[int(name[1])]}", revealed)


def _renamed(arrays: dict[str, Variable], sizes: dict[int, int]) -> dict[str, Variable]:
    return {n: v._replace(shape=tuple(sizes[size] for size in v.shape)) for n, v in arrays.items()}


def _choices(arrays: dict[str, Variable]) -> Iterator[dict[str, Variable]]:
    """The arrays with other sizes for those that are declared as unknown."""
    unknown = [
        (name, axis)
        for name, variable in arrays.items()
        for axis in range(len(variable.shape))
        if variables.dim(variable, axis, "unknown") == "Any"
    ]
    for chosen in itertools.islice(itertools.product(TRIED, repeat=len(unknown)), MOST_CHOICES):
        shapes = {name: list(variable.shape) for name, variable in arrays.items()}
        for (name, axis), size in zip(unknown, chosen, strict=True):
            shapes[name][axis] = size
        yield {name: v._replace(shape=tuple(shapes[name])) for name, v in arrays.items()}


def _result(expression: str, arrays: dict[str, Variable]) -> Truth | None:
    """What JAX computes; None where it refuses that."""
    fixed = {name: v.value() for name, v in arrays.items() if v.is_numpy}
    truths: list[Truth] = []

    def trace(traced: dict[str, object]) -> None:
        names = {**truth.scope(), **variables.others(expression), **fixed, **traced}
        truths.append(truth.describe(eval(expression, names)))

    try:
        with warnings.catch_warnings(action="ignore"):
            jax.eval_shape(trace, {name: v.struct() for name, v in arrays.items() if not v.is_numpy})
    except Exception:  # JAX may raise any exception, also those of the libraries below it
        return None
    return truths[0]


def _shapes(result: Truth) -> list[tuple[int, ...]]:
    return [array.shape for array in _arrays([result])]


def _ranks(result: Truth) -> list[int]:
    return [len(shape) for shape in _shapes(result)]


def _arrays(parts: Iterable[Truth]) -> Iterator[ArrayOf]:
    for part in parts:
        if isinstance(part, ArrayOf):
            yield part
        elif isinstance(part, Items):
            yield from _arrays(part.items)
