"""What unknown numbers of a call are tried as."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from typing import Any

from ....sampling.tables.numbers import EQUAL_INTS, NUMBERS, STEPS
from ...values import arrays
from ...values.conversions import as_array
from ...values.unknowns import NumpyArray, is_many, is_scalar
from ..numpy.choices import is_int
from .choices import changed, unknown_in


def with_numbers(value: Any) -> Iterator[Any]:
    """Choices of actual numbers for those that cannot be arrays: sizes, axes, options."""
    numbers = [leaf for leaf in unknown_in(value) if is_scalar(leaf)]
    if any(leaf.kind is int for leaf in numbers):
        yield changed(
            value,
            lambda leaf: arrays.size_of(leaf) if is_scalar(leaf, int) else as_array(leaf),
        )
    for i in range(len(NUMBERS[int])):
        yield _with_each(value, NUMBERS, i)
    for i in EQUAL_INTS:
        yield changed(value, functools.partial(_with_int, i))


def with_steps(value: Any) -> Iterator[Any]:
    """Choices of large numbers, for what makes functions of numbers of steps, such as schedules.

    What such a function gives for no steps at all is another function.
    """
    for i in range(len(STEPS[int])):
        yield _with_each(value, STEPS, i)


def _with_each(value: Any, numbers: dict[type, tuple[Any, ...]], first: int) -> Any:
    """Each unknown number with another of those of its type, from the `first` on."""
    counter = itertools.count(first)

    def change(leaf: Any) -> Any:
        kind = int if is_int(leaf) else getattr(leaf, "kind", None)
        if kind not in numbers or is_many(leaf):
            return as_array(leaf)
        values = numbers[kind]
        return _like(leaf, values[next(counter) % len(values)])

    return changed(value, change)


def _with_int(number: int, leaf: Any) -> Any:
    return _like(leaf, number) if is_int(leaf) else as_array(leaf)


def _like(leaf: Any, number: Any) -> Any:
    """A number of the type of an unknown one: an int of NumPy's has a dtype of its own, which JAX's results may follow."""
    if not isinstance(leaf, NumpyArray):
        return number
    if leaf.np_dtype is None:
        return as_array(leaf)
    return leaf.np_dtype.type(abs(number) if leaf.np_dtype.kind == "u" else number)
