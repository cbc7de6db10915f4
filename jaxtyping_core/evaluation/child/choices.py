"""What stands in for what is unknown of a call: dtypes, ranks, sizes, and the values of Python scalars."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..values import Array, Call, Key, Scalar, Static, Value, inside, mentions_layer, transform
from .results import value_of
from .symbols import arrays_in

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
#: More choices of sizes than this are not tried.
MOST_CHOICES = 30
#: Sizes that are tried for unknown dims beside those that others have: JAX treats no elements, one, and the same number
#: as cases of their own.
SPECIAL_SIZES = (0, 1, 6)
#: The functions that raise to a power.
POWERS = frozenset({"operator.pow", "builtin:pow", "jax.numpy.power", "jax.numpy.pow"})
#: The dtypes of exponents whose value makes no difference start like this.
INTEGERS = ("int", "uint")


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


def with_constant_exponents(call: Value) -> Value:
    """`call` with a Python int for every exponent that is an integer array of no dims.

    JAX promotes a base and an exponent that it traces to one dtype; of an exponent whose value it has, only the base's
    dtype counts. A type does not say which it is.
    """

    def change(part: Value) -> Value:
        if not isinstance(part, Call) or part.function not in POWERS or len(part.args) != 2:
            return part
        base, exponent = part.args
        if not isinstance(exponent, Array) or exponent.dims != () or mentions_layer(part):
            return part
        if not str(exponent.dtype).startswith(INTEGERS):
            return part
        # Not the operator, which makes no array of two Python scalars.
        return Call("jax.numpy.power", (base, Static(2)), {})

    return transform(call, change)


def with_scalars(call: Value, number: int) -> Value:
    """`call` with the scalar of that number for the first unknown one, the next for the second, and so on."""
    counter = itertools.count(number)

    def change(part: Value) -> Value:
        if not isinstance(part, Scalar):
            return part
        values = SCALARS[part.kind]
        return value_of(values[next(counter) % len(values)])

    return transform(call, change)


def with_sizes(call: Value, sizes: tuple[int | str, ...]) -> Value:
    """`call` with these sizes for unknown dims."""
    rest = iter(sizes)

    def change(part: Value) -> Value:
        if not isinstance(part, Array) or part.dims is None:
            return part
        return replace(part, dims=tuple(next(rest) if dim is None else dim for dim in part.dims))

    return transform(call, change)


def scalar_numbers(call: Value) -> range:
    """The numbers for `with_scalars` under which each Python scalar of unknown value has each of its values."""
    kinds = {part.kind for part in inside(call) if isinstance(part, Scalar)}
    return range(max((len(SCALARS[kind]) for kind in kinds), default=0))


def unknown_dims(call: Value) -> int:
    return sum(array.dims.count(None) for array in arrays_in(call) if array.dims)


def fitting_sizes(call: Value) -> Iterator[tuple[int | str, ...]]:
    """Sizes for the unknown dims that other dims have, or 1; none where there are too many choices."""
    known = [dim for array in arrays_in(call) for dim in array.dims or () if dim is not None]
    sizes, unknown = dict.fromkeys([*known, 1]), unknown_dims(call)
    if unknown and len(sizes) ** unknown <= MOST_CHOICES:
        yield from itertools.product(sizes, repeat=unknown)


def stand_ins(call: Value) -> Iterator[Value]:
    """`call` with each of many choices of sizes, scalars and keys for those that are unknown."""
    yield transform(call, lambda part: Array("uint32", False, (2,)) if part == Key() else part)
    unknown, numbers = unknown_dims(call), scalar_numbers(call) or range(1)
    for number in numbers:
        yield with_scalars(call, number)
    same = [(size,) * unknown for size in SPECIAL_SIZES]
    ones = [(6,) * i + (1,) + (6,) * (unknown - i - 1) for i in range(unknown)]
    if 2**unknown <= MOST_CHOICES:
        ones = [*itertools.product((1, 6), repeat=unknown)]
    for sizes, number in zip([*same, *ones, *fitting_sizes(call)], itertools.cycle(numbers), strict=False):
        yield with_sizes(with_scalars(call, number), sizes)
