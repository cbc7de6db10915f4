"""Follows numbers through the equations that JAX records: with NumPy, which computes with ints as JAX does.

Only what a table here has is followed, and only numbers that the program itself has: in all else nothing is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from jax.extend.core import Literal

from ..values import numbers

Numbers = np.ndarray[Any, Any]


class Operation(NamedTuple):
    """An equation with the numbers of its inputs; None for those that are not known. `numbers` is what it gives."""

    name: str
    params: Mapping[str, Any]
    avals: Sequence[Any]
    inputs: Sequence[Numbers | None]
    aval: Any
    numbers: Numbers | None


def follow(equations: Sequence[Any], passed: set[Any] | None) -> Iterator[Operation]:
    """The operations of which some numbers are known, also those within functions; what they give is known from now on.

    `passed` are the variables of the arrays that the call is given, if these are known: other constants are made in the call.
    """

    def of(tracer: Any) -> Numbers | None:
        known = numbers.of_variable(tracer.val)
        if known is not None or passed is None or isinstance(tracer.val, Literal) or tracer.val in passed:
            return known
        return numbers.constant(tracer)

    for equation in equations:
        variables = [tracer.val for tracer in equation.in_tracers]
        inputs = [*map(of, equation.in_tracers)]
        for variable, made in (yield from _followed(equation, variables, inputs)):
            numbers.keep(variable, made)


def _followed(equation: Any, variables: Sequence[Any], inputs: Sequence[Numbers | None]) -> Any:
    name, results = equation.primitive.name, equation.outvars
    if name != "iota" and all(each is None for each in inputs):
        return []
    function = equation.params.get("jaxpr")
    if name in ("jit", "pjit") and function is not None:
        made = yield from of_function(function, inputs)
        return [(variable, each) for variable, each in zip(results, made, strict=True) if each is not None]
    if len(results) != 1:
        return []
    aval = results[0].aval
    result = _computed(name, equation.params, inputs, aval)
    yield Operation(name, equation.params, [variable.aval for variable in variables], inputs, aval, result)
    return [] if result is None else [(results[0], result)]


def of_function(function: Any, inputs: Sequence[Numbers | None]) -> Any:
    """What a function gives that JAX has traced."""
    inner = getattr(function, "jaxpr", function)
    held = dict(zip(inner.invars, inputs, strict=True))

    def of(variable: Any) -> Numbers | None:
        return numbers.of_variable(variable) if isinstance(variable, Literal) else held.get(variable)

    for equation in inner.eqns:
        made = yield from _followed(equation, equation.invars, [*map(of, equation.invars)])
        held.update(made)
    return [*map(of, inner.outvars)]


def _computed(
    name: str, params: Mapping[str, Any], inputs: Sequence[Numbers | None], aval: Any
) -> Numbers | None:
    compute = OPERATIONS.get(name)
    if compute is None or any(each is None for each in inputs) or not numbers.are_kept(aval):
        return None
    with np.errstate(all="ignore"):
        return np.asarray(compute(params, aval, *inputs)).astype(aval.dtype)


def _broadcast(params: Mapping[str, Any], aval: Any, value: Numbers) -> Numbers:
    shape = [1] * len(aval.shape)
    for axis, size in zip(params["broadcast_dimensions"], value.shape, strict=True):
        shape[axis] = size
    return np.broadcast_to(value.reshape(shape), aval.shape)


def _iota(params: Mapping[str, Any], aval: Any) -> Numbers:
    axis = params["dimension"]
    return np.moveaxis(np.broadcast_to(np.arange(aval.shape[axis]), _last(aval.shape, axis)), -1, axis)


def _last(shape: Sequence[int], axis: int) -> tuple[int, ...]:
    return (*shape[:axis], *shape[axis + 1 :], shape[axis])


def _sliced(params: Mapping[str, Any], aval: Any, value: Numbers) -> Numbers:
    steps = params["strides"] or [1] * value.ndim
    return value[tuple(map(slice, params["start_indices"], params["limit_indices"], steps))]


def _selected(params: Mapping[str, Any], aval: Any, which: Numbers, *cases: Numbers) -> Numbers:
    return np.choose(np.broadcast_to(which.astype(int), aval.shape), cases)


def _plain(f: Callable[..., Any]) -> Callable[..., Any]:
    """An operation on numbers alone."""
    return lambda params, aval, *inputs: f(*inputs)


#: What each primitive gives that is a function of numbers alone.
PLAIN: Mapping[str, Callable[..., Any]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "neg": np.negative,
    "max": np.maximum,
    "min": np.minimum,
    "abs": np.abs,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "eq": np.equal,
    "ne": np.not_equal,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "not": np.bitwise_not,
    "copy": np.asarray,
    "copy_p": np.asarray,
    "device_put": np.asarray,
    "convert_element_type": np.asarray,
}
#: What each primitive gives: its parameters, the kind of its result and the numbers are passed.
OPERATIONS: Mapping[str, Callable[..., Any]] = {
    **{name: _plain(f) for name, f in PLAIN.items()},
    "broadcast_in_dim": _broadcast,
    "iota": _iota,
    "slice": _sliced,
    "select_n": _selected,
    "reshape": lambda params, aval, value: value.reshape(aval.shape),
    "squeeze": lambda params, aval, value: value.reshape(aval.shape),
    "concatenate": lambda params, aval, *parts: np.concatenate(parts, params["dimension"]),
    "transpose": lambda params, aval, value: value.transpose(params["permutation"]),
    "reduce_sum": lambda params, aval, value: value.sum(tuple(params["axes"]), aval.dtype),
    "reduce_prod": lambda params, aval, value: value.prod(tuple(params["axes"]), aval.dtype),
    "rev": lambda params, aval, value: np.flip(value, params["dimensions"]),
    "integer_pow": lambda params, aval, value: value ** params["y"],
}
