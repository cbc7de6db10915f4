"""The answer to a request, whatever of its arrays and numbers is unknown."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..merging import merge
from ..protocol import Answer
from ..values import Array, Complex, Scalar, Static, Value, inside, transform
from .call import Evaluation, attempt, kind_of_refusal
from .results import value_of, without_sizes
from .sizes import concrete_reader
from .symbols import arrays_in, has_unknown, name_unknowns, symbols_of
from .verdicts import Refused, Undecided

#: Values that are tried for a Python scalar of unknown value where an array of no dims does not do.
SCALARS: dict[str, tuple[Any, ...]] = {
    "bool": (False, True),
    "int": (0, 1, -1, 2, 3, 5),
    "float": (0.5, 2.0, -1.0, 3.0),
    "complex": (1j, 2.0 - 1.0j, 0j),
}
#: Dtypes that are tried for an unknown one; each is one of a kind to some function of JAX.
DTYPES = (
    *("float32", "int32", "bool", "complex64", "bfloat16", "uint8", "float16", "int8", "uint32"),
    *("int64", "float64", "complex128"),
)
#: How many dims are tried for an unknown number of them.
RANKS = (0, 1, 2, 3, 4)
#: How many choices of sizes are tried for unknown ones.
MOST_CHOICES = 30


def evaluate(call: Value) -> Answer:
    """The answer to a request for `call`."""
    choices = list(complete(call))
    if len(choices) > 1:
        return of_several(choices)
    try:
        return Answer(result=attempt(Evaluation(name_unknowns(call))))
    except Refused as refusal:
        if not has_unknown(call):
            return error(call, str(refusal))
        problem: Exception = refusal
    except Undecided as undecided:
        problem = undecided
    for strategy in (with_symbolic_ints, with_actual_scalars, with_fitting_sizes, with_actual_numbers):
        try:
            return Answer(result=strategy(call))
        except Refused as refusal:
            return error(call, str(refusal))
        except Undecided:
            continue
    return Answer(unknown=str(problem))


def error(call: Value, message: str) -> Answer:
    return Answer(error=message, kind=kind_of_refusal(Evaluation(call), message))


def complete(call: Value) -> Iterator[Value]:
    """`call`, or copies of it with a choice of dtypes and ranks for those that are unknown."""
    arrays = arrays_in(call)
    dtypes = DTYPES if any(array.dtype is None for array in arrays) else (None,)
    ranks = RANKS if any(array.dims is None for array in arrays) else (0,)
    for dtype, rank in itertools.product(dtypes, ranks):
        yield completed(call, dtype, rank)


def completed(call: Value, dtype: str | None, rank: int) -> Value:
    def change(part: Value) -> Value:
        if not isinstance(part, Array):
            return part
        return replace(
            part, dtype=part.dtype or dtype, dims=(None,) * rank if part.dims is None else part.dims
        )

    return transform(call, change)


def of_several(calls: list[Value]) -> Answer:
    """What the accepted ones of some calls agree on."""
    answers = [evaluate(call) for call in calls]
    unknown = next((answer for answer in answers if answer.unknown is not None), None)
    results = [answer.result for answer in answers if answer.result is not None]
    if unknown is not None or not results:
        return unknown or Answer(unknown="no dtype or rank that was tried is accepted")
    return Answer(result=merge(results))


def with_symbolic_ints(call: Value) -> Value:
    """A Python int whose value is not known may be a size: then it is no array but a symbolic dim."""
    if Scalar("int") not in inside(call):
        raise Undecided("there are no ints")
    try:
        return attempt(Evaluation(name_unknowns(call, ints=True)))
    except Refused as refusal:
        raise Undecided(str(refusal)) from refusal


def with_actual_scalars(call: Value) -> Value:
    """What is known for each of some values of the Python scalars.

    Raises:
        Refused: JAX refuses all of them, in the same words.
    """
    kinds = {part.kind for part in inside(call) if isinstance(part, Scalar)}
    if not kinds:
        raise Undecided("there are no scalars")
    results, refusals, undecided = [], [], False
    for number in range(max(len(SCALARS[kind]) for kind in kinds)):
        try:
            results.append(attempt(Evaluation(name_unknowns(with_scalars(call, number)))))
        except Refused as refusal:
            refusals.append(str(refusal))
        except Undecided:
            undecided = True
    whole = not any(array.dims and None in array.dims for array in arrays_in(call))
    if not results and len(set(refusals)) == 1 and not undecided and whole and "int" not in kinds:
        raise Refused(refusals[0])
    if not results or undecided:
        raise Undecided("no value that was tried is accepted")
    return agreed(results)


def with_scalars(call: Value, number: int) -> Value:
    """`call` with the scalar of that number for the first unknown one, the next for the second, and so on."""
    counter = itertools.count(number)

    def change(part: Value) -> Value:
        if not isinstance(part, Scalar):
            return part
        values = SCALARS[part.kind]
        return value_of(values[next(counter) % len(values)])

    return transform(call, change)


def with_fitting_sizes(call: Value) -> Value:
    """What is known if unknown dims have sizes that others have: two must be equal, perhaps."""
    dims = [dim for array in arrays_in(call) for dim in array.dims or ()]
    sizes = list(dict.fromkeys([*(dim for dim in dims if dim is not None), 1]))
    unknown = dims.count(None)
    if not 0 < len(sizes) ** unknown <= MOST_CHOICES or not unknown:
        raise Undecided("too many choices of sizes")
    results = []
    for chosen in itertools.product(sizes, repeat=unknown):
        try:
            results.append(attempt(Evaluation(with_sizes(call, chosen))))
        except Refused:
            continue
    if not results:
        raise Undecided("no size that was tried is accepted")
    return agreed(results)


def with_sizes(call: Value, sizes: tuple[int | str, ...]) -> Value:
    """`call` with these sizes for unknown dims."""
    rest = iter(sizes)

    def change(part: Value) -> Value:
        if not isinstance(part, Array) or part.dims is None:
            return part
        return replace(part, dims=tuple(next(rest) if dim is None else dim for dim in part.dims))

    return transform(call, change)


def agreed(results: list[Value]) -> Value:
    """What some choices agree on; of a single one, what others would surely give."""
    merged = merge(results)
    return merged if len(results) > 1 else without_sizes(merged)


def with_actual_numbers(call: Value) -> Value:
    """What a call that needs the numbers in its arrays gives for each of some choices of them."""
    import numpy as np

    if has_unknown(call) or symbols_of(call):
        raise Undecided("the sizes are not known")
    results = []
    for numbers in (
        lambda size: np.zeros(size, int),
        lambda size: np.arange(size) % 2,
        lambda size: np.arange(size) % 3 + 1,
        lambda size: np.arange(size)[::-1] % 3,
    ):
        try:
            results.append(Evaluation(call).run(concrete_reader({}), numbers=numbers))
        except Refused:  # for these numbers
            continue
    if len(results) < 3:
        raise Undecided("too few of the numbers that were tried are accepted")
    return merge([transform(result, forget_value) for result in results])


def forget_value(part: Value) -> Value:
    """A Python value that was computed from made-up numbers: only its type is known."""
    if isinstance(part, Complex):
        return Scalar("complex")
    kind = type(part.value).__name__ if isinstance(part, Static) else ""
    return Scalar(kind) if kind in SCALARS else part
