"""The answer to a request, whatever of its arrays and numbers is unknown."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from .call import Call, attempt, kind_of_refusal
from .results import encode, merge, without_sizes
from .sizes import concrete_reader
from .values import has_unknown, inside, name_unknowns, symbols_of, transform
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
RANKS = range(5)
#: How many choices of sizes are tried for unknown ones.
MOST_CHOICES = 30


def evaluate(function: str, args: list[Any], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The answer to one request."""
    value = ["call", function, args, kwargs]
    choices = list(complete(value))
    if len(choices) > 1:
        return {"result": of_several(choices)}
    try:
        return {"result": attempt(Call(name_unknowns(value)))}
    except Refused as refusal:
        if not has_unknown(value):
            return error(Call(value), str(refusal))
        problem: Exception = refusal
    except Undecided as undecided:
        problem = undecided
    for strategy in (with_symbolic_ints, with_actual_scalars, with_fitting_sizes, with_actual_numbers):
        try:
            return {"result": strategy(value)}
        except Refused as refusal:
            return error(Call(value), str(refusal))
        except Undecided:
            continue
    return {"unknown": str(problem)}


def error(call: Call, message: str) -> dict[str, Any]:
    return {"error": {"kind": kind_of_refusal(call, message), "message": message}}


def complete(value: Any) -> Iterator[Any]:
    """`value`, or copies of it with a choice of dtypes and ranks for those that are unknown."""
    arrays = [part for part in inside(value) if part[0] == "array"]
    dtypes: tuple[Any, ...] = DTYPES if any(array[1] is None for array in arrays) else (None,)
    ranks: tuple[Any, ...] = tuple(RANKS) if any(array[3] is None for array in arrays) else (None,)
    for number, (dtype, rank) in enumerate(itertools.product(dtypes, ranks)):
        counter = itertools.count(number)

        def change(part: Any, dtype: Any = dtype, rank: Any = rank, counter: Any = counter) -> Any:
            if part[0] != "array" or (part[1] is not None and part[3] is not None):
                return part
            dims = [None] * rank if part[3] is None else part[3]
            return ["array", part[1] or dtype, part[2], dims]

        yield transform(value, change)


def of_several(choices: list[Any]) -> Any:
    """What the accepted ones of some calls agree on.

    Raises:
        Undecided: that is nothing.
    """
    results = []
    for choice in choices:
        answer = evaluate(*choice[1:])
        if "result" in answer:
            results.append(answer["result"])
        elif "unknown" in answer:
            raise Undecided(answer["unknown"])
    if not results:
        raise Undecided("no dtype or rank that was tried is accepted")
    return merge(results, [])


def with_symbolic_ints(value: Any) -> Any:
    """A Python int whose value is not known may be a size: then it is no array but a symbolic dim."""
    if ["scalar", "int"] not in inside(value):
        raise Undecided("there are no ints")
    try:
        return attempt(Call(name_unknowns(value, ints=True)))
    except Refused as refusal:
        raise Undecided(str(refusal)) from refusal


def with_actual_scalars(value: Any) -> Any:
    """What is known for each of some values of the Python scalars.

    Raises:
        Refused: JAX refuses all of them, in the same words.
    """
    kinds = {part[1] for part in inside(value) if part[0] == "scalar"}
    if not kinds:
        raise Undecided("there are no scalars")
    results, refusals, undecided = [], [], False
    for number in range(max(len(SCALARS[kind]) for kind in kinds)):
        counter = itertools.count(number)

        def change(part: Any, counter: Any = counter) -> Any:
            if part[0] != "scalar":
                return part
            values = SCALARS[part[1]]
            chosen = values[next(counter) % len(values)]
            return encode(chosen)

        try:
            results.append(attempt(Call(name_unknowns(transform(value, change)))))
        except Refused as refusal:
            refusals.append(str(refusal))
        except Undecided:
            undecided = True
    whole = not any(part[0] == "array" and None in part[3] for part in inside(value))
    if not results and len(set(refusals)) == 1 and not undecided and whole and "int" not in kinds:
        raise Refused(refusals[0])
    if not results or undecided:
        raise Undecided("no value that was tried is accepted")
    merged = merge(results, [])
    return merged if len(results) > 1 else without_sizes(merged)


def with_fitting_sizes(value: Any) -> Any:
    """What is known if unknown dims have sizes that others have: two must be equal, perhaps."""
    arrays = [part for part in inside(value) if part[0] == "array"]
    sizes = list(dict.fromkeys([*(d for array in arrays for d in array[3] if d is not None), 1]))
    unknown = sum(array[3].count(None) for array in arrays)
    if not 0 < len(sizes) ** unknown <= MOST_CHOICES or not unknown:
        raise Undecided("too many choices of sizes")
    results = []
    for chosen in itertools.product(sizes, repeat=unknown):
        given = iter(chosen)

        def change(part: Any, given: Any = given) -> Any:
            if part[0] != "array":
                return part
            return [*part[:3], [next(given) if d is None else d for d in part[3]]]

        try:
            results.append(attempt(Call(transform(value, change))))
        except Refused:
            continue
    if not results:
        raise Undecided("no size that was tried is accepted")
    merged = merge(results, [])
    return merged if len(results) > 1 else without_sizes(merged)


def with_actual_numbers(value: Any) -> Any:
    """What a call that needs the numbers in its arrays gives for each of some choices of them."""
    import numpy as np

    if has_unknown(value) or symbols_of(value):
        raise Undecided("the sizes are not known")
    call = Call(value)
    results = []
    for numbers in (
        lambda size: np.zeros(size, int),
        lambda size: np.arange(size) % 2,
        lambda size: np.arange(size) % 3 + 1,
        lambda size: np.arange(size)[::-1] % 3,
    ):
        try:
            results.append(call.evaluate(concrete_reader({}), numbers=numbers))
        except Refused:  # for these numbers
            continue
    if len(results) < 3:
        raise Undecided("too few of the numbers that were tried are accepted")
    return merge([transform(result, forget_value) for result in results], [])


def forget_value(part: Any) -> Any:
    """A Python value that was computed from made-up numbers: only its type is known."""
    if part[0] == "complex":
        return ["scalar", "complex"]
    is_number = part[0] == "static" and type(part[1]).__name__ in SCALARS
    return ["scalar", type(part[1]).__name__] if is_number else part
