"""Indices that are outside of an axis: JAX raises nothing, and takes another item, leaves the update out, or fills in.

What an index is to JAX, the equations tell, with negative ones counted from the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import lax

from ..language.operators import get_item
from ..libraries.calls.methods import holder_of
from ..values import arrays
from .arithmetic import Operation
from .rule import Call, Rule

#: Functions that take an index, and may not be told what is to become of one outside of an axis.
INDEXING: tuple[Any, ...] = (
    *(get_item, jnp.take, jnp.take_along_axis),
    *(lax.dynamic_slice, lax.dynamic_slice_in_dim, lax.dynamic_index_in_dim),
    *(lax.dynamic_update_slice, lax.dynamic_update_slice_in_dim, lax.dynamic_update_index_in_dim),
)
#: The class of ``x.at[i]``, and its module's package.
UPDATE, OF_JAX = "_IndexUpdateRef", "jax."
OUTSIDE = (
    "index {index} is outside of {place}: JAX raises nothing, and {what}; the indices are {first} to {last}"
)
MOVED = (
    "the slice from {index} to {end} is outside of {place}: JAX raises nothing, and moves it into the array;"
    " it can begin at {last} at most"
)
#: What becomes of an index outside.
TAKEN, FILLED, DROPPED = "takes the {which} item", "gives {number}", "leaves the update out"


def is_update(holder: Any) -> bool:
    """Whether an object is ``x.at[i]`` of an array of JAX."""
    cls = type(holder)
    return cls.__name__ == UPDATE and cls.__module__.startswith(OF_JAX)


class Outside(NamedTuple):
    """A part of an array that is outside of it: where it begins on an axis, and how long it is."""

    axis: int
    start: int
    size: int


class IndexBounds(Rule):
    """Looks at the equations of indices whose numbers are known."""

    KIND = "index"

    def after(self, call: Call, equations: Sequence[Any]) -> None:
        if not call.operations or not self.is_followed or self.interpreter.context.is_speculative:
            return
        if not _is_indexing(call):
            return
        for operation in call.operations:
            for outside in _outside(operation):
                self.report(_message(operation, outside, _array_of(call)))
                return


def _is_indexing(call: Call) -> bool:
    """Whether a function takes an index, and nothing that says what is to become of one outside."""
    if call.kwargs.get("mode") is not None:
        return False
    return is_update(holder_of(call.f)) or any(call.f is each for each in INDEXING)


def _outside(operation: Operation) -> Iterator[Outside]:
    """The parts that an operation takes, or puts, outside of its array."""
    shape = operation.avals[0].shape
    for axis, starts, size in _starts(operation):
        if type(shape[axis]) is not int:
            continue
        wrong = starts[(starts < 0) | (starts > shape[axis] - size)]
        if wrong.size:
            yield Outside(axis, int(wrong.flat[0]), size)


def _starts(operation: Operation) -> Iterator[tuple[int, np.ndarray[Any, Any], int]]:
    """Where the parts begin that an operation takes, for each axis whose numbers are known, with their length."""
    match operation.name:
        case "gather":
            numbers, dims = operation.inputs[1], operation.params["dimension_numbers"]
            if numbers is not None:
                for column, axis in enumerate(dims.start_index_map):
                    yield axis, numbers[..., column], operation.params["slice_sizes"][axis]
        case "dynamic_slice" | "dynamic_update_slice":
            before = 1 if operation.name == "dynamic_slice" else 2
            taken = operation.params.get("slice_sizes")  # none of an array without axes
            sizes = operation.avals[1].shape if taken is None else taken
            for axis, (start, size) in enumerate(zip(operation.inputs[before:], sizes, strict=False)):
                if start is not None and type(size) is int:
                    yield axis, start, size
        case name if name.startswith("scatter"):
            numbers, dims = operation.inputs[1], operation.params["dimension_numbers"]
            if numbers is not None:
                for column, axis in enumerate(dims.scatter_dims_to_operand_dims):
                    if axis in dims.inserted_window_dims:
                        yield axis, numbers[..., column], 1


def _message(operation: Operation, outside: Outside, array: Any) -> str:
    shape, (axis, start, size) = operation.avals[0].shape, outside
    length = shape[axis]
    index = start if start >= 0 else start - length
    # Under `vmap`, JAX has the rows of all in one array.
    is_whole = arrays.is_array(array) and array.shape == shape
    place = f"axis {axis} of {arrays.spelled_array(array)}" if is_whole else f"an axis of size {length}"
    if size != 1:
        return MOVED.format(index=index, end=index + size, place=place, last=length - size)
    what = _what(operation, "last" if start >= 0 else "first")
    return OUTSIDE.format(index=index, place=place, what=what, first=-length, last=length - 1)


def _what(operation: Operation, which: str) -> str:
    """What JAX does in place of an error."""
    if operation.name.startswith("scatter"):
        return DROPPED
    number = operation.params.get("fill_value")
    return TAKEN.format(which=which) if number is None else FILLED.format(number=number)


def _array_of(call: Call) -> Any:
    """The array that the index is of."""
    holder = holder_of(call.f)
    return holder.array if is_update(holder) else next(iter(call.args), None)
