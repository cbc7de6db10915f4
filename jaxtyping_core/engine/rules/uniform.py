"""What numbers an array has: those that the program says, or with one number tried for all that is not known.

An array whose items are all the same is one number here, whatever its size; so is an axis of one with others. Numbers are computed with NumPy, which gives JAX's up
to the last digits: enough to tell where a function has no slope.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...identity import identity
from ..values import numbers
from .arithmetic import OPERATIONS
from .operations import ARGUMENT, CONSTANT, PASSED, Node, Operations

Numbers = np.ndarray[Any, Any]
#: How deep an expression is that is computed.
DEEPEST = 60
#: What is computed item by item, besides what is in `arithmetic`.
PLAIN: Mapping[str, Callable[..., Any]] = {
    "div": lambda left, right: left // right if np.issubdtype(left.dtype, np.integer) else left / right,
    "square": np.square,
    "sqrt": np.sqrt,
    "rsqrt": lambda value: 1 / np.sqrt(value),
    "cbrt": np.cbrt,
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "log": np.log,
    "log1p": np.log1p,
    "pow": np.power,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "atan2": np.arctan2,
    "logistic": lambda value: 1 / (1 + np.exp(-value)),
    "floor": np.floor,
    "ceil": np.ceil,
    "round": np.round,
    "sign": np.sign,
    "is_finite": np.isfinite,
    "stop_gradient": np.asarray,
    "clamp": lambda low, value, high: np.minimum(np.maximum(value, low), high),
    "nextafter": np.nextafter,
    "xor": np.bitwise_xor,
    "rem": np.fmod,
}
#: What only moves items: the items of the result are those of the first input.
MOVING = frozenset(
    {
        *("broadcast_in_dim", "reshape", "squeeze", "slice", "transpose", "rev", "gather", "dynamic_slice"),
        *("expand_dims", "split", "unstack", "copy", "reduce_max", "reduce_min", "reduce_and", "reduce_or"),
        *("cummax", "cummin", "sort", "optimization_barrier", "reduce_precision"),
    }
)
#: Operations of `arithmetic` that compute item by item.
BY_ITEM = frozenset(
    {
        *(
            "add",
            "sub",
            "mul",
            "neg",
            "max",
            "min",
            "abs",
            "lt",
            "le",
            "gt",
            "ge",
            "eq",
            "ne",
            "and",
            "or",
            "not",
        ),
        *("copy_p", "device_put", "convert_element_type", "integer_pow", "add_any"),
    }
)
#: Names of operations that are another one's.
SAME = {"add_any": "add", "copy": "copy_p"}


class Trial:
    """The numbers of arrays, as the program says them, and with one tried for some.

    Args:
        tried: the nodes for which the number stands; any other of which no number is known makes the result unknown.
    """

    def __init__(
        self, operations: Operations, tried: frozenset[int] = frozenset(), number: float = 0.0
    ) -> None:
        self._operations = operations
        self._tried = tried
        self._number = number
        self._known: dict[int, Numbers | None] = {}

    def of(self, node: Node, depth: int = 0) -> Numbers | None:
        """The numbers of an array, or one for all of its items; None if they are not known."""
        if identity(node) in self._tried:
            return np.asarray(self._number, _dtype(node)) if isinstance(_dtype(node), np.dtype) else None
        if depth > DEEPEST:
            return None
        if identity(node) not in self._known:
            with np.errstate(all="ignore"):
                self._known[identity(node)] = self._computed(node, depth + 1)
        return self._known[identity(node)]

    def _computed(self, node: Node, depth: int) -> Numbers | None:
        if node.name == CONSTANT:
            return (
                _uniform(node.value) if node.value is not None and node.value.size <= numbers.MOST else None
            )
        if node.name in (ARGUMENT, PASSED):
            bound = self._operations.bound(node)
            is_row = bool(bound) and bound[-1].is_of_loop
            source = bound[-1].node if bound else next(iter(self._operations.before(node)), None)
            value = None if source is None else self.of(source, depth)
            return None if value is None or (is_row and value.ndim) else value
        if node.name == "select_n":
            return self._selected(node, depth)
        inputs = [self.of(each, depth) for each in node.inputs]
        first = inputs[0] if inputs else None
        if node.name in MOVING and first is not None and first.ndim == 0:
            return first
        if any(each is None for each in inputs):
            return None
        return _made(node, [each for each in inputs if each is not None])

    def _selected(self, node: Node, depth: int) -> Numbers | None:
        which = self.of(node.inputs[0], depth)
        if which is None:
            return None
        if which.size and (which == which.flat[0]).all():
            return self.of(node.inputs[1 + int(which.flat[0])], depth)
        cases = [self.of(each, depth) for each in node.inputs[1:]]
        if any(each is None for each in cases):
            return None
        return np.choose(which.astype(int), [each for each in cases if each is not None])


def is_computed(node: Node) -> bool:
    """Whether an operation is one that is computed here: the results of others are taken for any numbers."""
    if node.name in (CONSTANT, PASSED, "select_n", *PLAIN, *MOVING, *BY_ITEM, *OPERATIONS):
        return True
    return node.name in ("dot_general", "iota", "stack", "argmax")


def _made(node: Node, inputs: list[Numbers]) -> Numbers | None:
    """What an operation gives."""
    name = SAME.get(node.name, node.name)
    dtype = _dtype(node)
    if node.name in PLAIN:
        return _uniform(np.asarray(PLAIN[node.name](*inputs)).astype(dtype))
    if node.name in BY_ITEM:
        return _uniform(np.asarray(OPERATIONS[name](node.params, node.aval, *inputs)).astype(dtype))
    if name == "argmax" and len(node.params["axes"]) == 1 and inputs[0].ndim:
        return _uniform(np.argmax(inputs[0], node.params["axes"][0]).astype(dtype))
    if all(each.ndim == 0 for each in inputs):
        if name == "stack":  # of size 1 on all other axes
            shape = [1] * len(node.aval.shape)
            shape[node.params["axis"]] = len(inputs)
            return _uniform(np.asarray(inputs).reshape(shape))
        if node.name == "concatenate" and len({each.item() for each in inputs}) == 1:
            return inputs[0]
        count = _count(node)
        if count is not None and node.name in ("reduce_sum", "dot_general"):
            return np.asarray(math.prod(each.item() for each in inputs) * count, dtype)
    if node.name not in OPERATIONS or not _is_small(node.aval):
        return None
    whole = [np.broadcast_to(value, each.aval.shape) for value, each in zip(inputs, node.inputs, strict=True)]
    return _uniform(np.asarray(OPERATIONS[name](node.params, node.aval, *whole)).astype(dtype))


def _count(node: Node) -> int | None:
    """How many products or items of one number a sum has."""
    if node.name == "reduce_sum":
        axes = node.params["axes"]
    elif node.name == "dot_general":
        axes = node.params["dimension_numbers"][0][0]
    else:
        return None
    sizes = [node.inputs[0].aval.shape[axis] for axis in axes]
    return math.prod(sizes) if all(type(size) is int for size in sizes) else 1


def _is_small(aval: Any) -> bool:
    return all(type(size) is int for size in aval.shape) and math.prod(aval.shape) <= numbers.MOST


def _uniform(value: Numbers) -> Numbers:
    """One number for an array whose items are all the same."""
    if value.ndim and value.size and (value == value.flat[0]).all():
        return np.asarray(value.flat[0])
    return value


def _dtype(node: Node) -> Any:
    return getattr(node.aval, "dtype", None)
