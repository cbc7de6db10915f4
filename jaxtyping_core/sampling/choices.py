"""What stands in for what is unknown of a call: sizes, and the values of Python scalars."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace

from ..domain.values import Array, Call, Items, Key, Scalar, Static, Value, inside, mentions_layer, transform
from .results import value_of
from .symbols import arrays_in
from .tables.limits import MOST_BOOLS, MOST_SIZE_CHOICES
from .tables.numbers import SCALARS
from .tables.sizes import RANK_SIZE, SMALL_SIZES, SPECIAL_SIZES

#: The functions that raise to a power.
POWERS = frozenset({"operator.pow", "builtin:pow", "jax.numpy.power", "jax.numpy.pow"})
BOOL = "bool"
#: The dtypes of exponents whose value makes no difference start like this.
INTEGERS = ("int", "uint")


def with_constant_exponents(call: Value) -> Value:
    """`call` with a Python int for every exponent that is an integer array of no dims.

    JAX promotes a base and an exponent that it traces to one dtype; of an exponent whose value it has, only the base's
    dtype counts. A type does not say which it is.
    """

    def change(part: Value) -> Value:
        if not isinstance(part, Call) or part.function not in POWERS or len(part.args) != 2:
            return part
        base, exponent = part.args
        if not isinstance(exponent, Array) or exponent.shape != () or mentions_layer(part):
            return part
        if not str(exponent.dtype).startswith(INTEGERS):
            return part
        # Not the operator, which makes no array of two Python scalars.
        return Call("jax.numpy.power", (base, Static(2)), {})

    return transform(call, change)


def with_scalars(call: Value, number: int) -> Value:
    """`call` with the scalar of that number for the first unknown one, the next for the second, and so on.

    The bools are others for each multiple of `_period`, since one that changes only with the numbers beside it says nothing.
    """
    ways, first = divmod(number, _period(call))
    counter, bools = itertools.count(first), itertools.count()

    def change(part: Value) -> Value:
        if not isinstance(part, Scalar):
            return part
        values, other = SCALARS[part.kind], 0
        if part.kind == BOOL:
            other = ways >> min(next(bools), MOST_BOOLS - 1) & 1
        return value_of(values[(next(counter) + other) % len(values)])

    return transform(call, change)


def with_sizes(call: Value, sizes: tuple[int | str, ...]) -> Value:
    """`call` with these sizes for unknown dims."""
    rest = iter(sizes)

    def change(part: Value) -> Value:
        if not isinstance(part, Array) or part.shape is None:
            return part
        return replace(part, shape=tuple(next(rest) if dim is None else dim for dim in part.shape))

    return transform(call, change)


def scalar_numbers(call: Value) -> range:
    """The numbers for `with_scalars` under which each Python scalar of unknown value has each of its values.

    Each bool is both with each value of the others.
    """
    if not any(isinstance(part, Scalar) for part in inside(call)):
        return range(0)
    return range(_period(call) * _ways(call))


def with_each_bool(call: Value, number: int) -> range:
    """The numbers for `with_scalars` that differ from one in the bools alone."""
    period = _period(call)
    return range(number, period * _ways(call), period)


def _period(call: Value) -> int:
    """After how many numbers all scalars but the bools are the same again."""
    kinds = {part.kind for part in inside(call) if isinstance(part, Scalar)} - {BOOL}
    return max((len(SCALARS[kind]) for kind in kinds), default=1)


def _ways(call: Value) -> int:
    """How many ways there are to choose the bools; of more than `MOST_BOOLS`, the last are alike."""
    bools = sum(isinstance(part, Scalar) and part.kind == BOOL for part in inside(call))
    return int(2 ** min(bools, MOST_BOOLS))


def unknown_dims(call: Value) -> int:
    return sum(array.shape.count(None) for array in arrays_in(call) if array.shape)


def known_sizes(call: Value) -> list[int | str]:
    """The sizes that the dims of a call are known to have, and 1."""
    known = [dim for array in arrays_in(call) for dim in array.shape or () if dim is not None]
    return list(dict.fromkeys([*known, 1]))


def expected_sizes(call: Value) -> set[int | str]:
    """The sizes that show, if an unknown dim has one in all samples, that it is the right one. A 1 fits everything."""
    return {*known_sizes(call)} - {1}


def fitting_sizes(call: Value) -> Iterator[tuple[int | str, ...]]:
    """Sizes for the unknown dims that other dims have, or 1; none where there are too many choices."""
    sizes, unknown = known_sizes(call), unknown_dims(call)
    if unknown and len(sizes) ** unknown <= MOST_SIZE_CHOICES:
        yield from itertools.product(sizes, repeat=unknown)


def equal_sizes(call: Value) -> Iterator[tuple[int | str, ...]]:
    """Each size that a dim is known to have, and 1, for all unknown dims at once: few choices, however many these are."""
    unknown = unknown_dims(call)
    yield from ((size,) * unknown for size in known_sizes(call) if unknown)


def small_sizes(call: Value) -> Iterator[tuple[int, ...]]:
    """Sizes for the unknown dims that the numbers in a call may ask for, or that are small.

    A reshape to ``(3, 4)`` takes 12 elements, and any number of ones beside them.
    """
    unknown = unknown_dims(call)
    if not unknown:
        return
    shapes = [numbers_in(part) for part in inside(call) if isinstance(part, Items)]
    for shape in filter(None, shapes):
        if len(shape) <= unknown:
            yield (*(1,) * (unknown - len(shape)), *shape)
    products = [math.prod(shape) for shape in shapes if shape]
    own = [abs(part.value) for part in inside(call) if isinstance(part, Static) and type(part.value) is int]
    for size in dict.fromkeys([*SMALL_SIZES, *products, *(2 * product for product in products), *own]):
        yield (size,) * unknown
        if unknown > 1:
            yield (*(1,) * (unknown - 1), size)
            yield (size, *(1,) * (unknown - 1))


def numbers_in(items: Items) -> tuple[int, ...]:
    """The ints in a tuple or a list that are sizes."""
    values = [part.value for part in items.items if isinstance(part, Static)]
    return tuple(value for value in values if type(value) is int and value > 0)


def stand_ins(call: Value) -> Iterator[Value]:
    """`call` with each of many choices of sizes, scalars and keys for those that are unknown."""
    yield transform(call, lambda part: Array.of("uint32", False, (2,)) if part == Key() else part)
    unknown, numbers = unknown_dims(call), scalar_numbers(call) or range(1)
    for number in numbers:
        yield with_scalars(call, number)
    same = [(size,) * unknown for size in SPECIAL_SIZES]
    ones = [(RANK_SIZE,) * i + (1,) + (RANK_SIZE,) * (unknown - i - 1) for i in range(unknown)]
    if 2**unknown <= MOST_SIZE_CHOICES:
        ones = [*itertools.product((1, RANK_SIZE), repeat=unknown)]
    for sizes, number in zip([*same, *ones, *fitting_sizes(call)], itertools.cycle(numbers), strict=False):
        yield with_sizes(with_scalars(call, number), sizes)
