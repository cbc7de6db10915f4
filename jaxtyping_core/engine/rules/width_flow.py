"""Follows floats of few bits through the equations of JAX: where they are converted to more bits, and where these get to.

A conversion begins a flow. It ends where the numbers are cast back, where they are reduced, and where they are no floats any more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import jax.numpy as jnp
from jax.extend.core import Literal

#: The most bytes of an item of an array of few bits.
FEW = 2
#: Equations that hold others, each with the parameter that these are in.
NESTED: Mapping[str, str] = {
    **dict.fromkeys(("jit", "pjit", "checkpoint", "remat2"), "jaxpr"),
    **dict.fromkeys(("custom_jvp_call", "custom_vjp_call", "closed_call", "core_call"), "call_jaxpr"),
}
#: Equations that take most of the time of a model.
HEAVY = frozenset({"dot_general", "conv_general_dilated", "ragged_dot_general"})
#: What flows: an object that stands for the operation that it begins at.
Mark = TypeVar("Mark")


def is_few(dtype: Any) -> bool:
    """Whether a dtype is a float of few bits."""
    return dtype is not None and bool(jnp.issubdtype(dtype, jnp.floating)) and dtype.itemsize <= FEW


def is_wide(dtype: Any) -> bool:
    """Whether a dtype is a float of more bits."""
    return dtype is not None and bool(jnp.issubdtype(dtype, jnp.floating)) and dtype.itemsize > FEW


def _converts(name: str, inputs: Sequence[Any]) -> bool:
    """Whether an equation takes floats of few bits for wide ones: products take two of different dtypes as they are."""
    dtypes = [getattr(aval, "dtype", None) for aval in inputs]
    if name in HEAVY:
        return any(map(is_few, dtypes)) and any(map(is_wide, dtypes))
    return name == "convert_element_type" and is_few(dtypes[0])


class Flow:
    """What follows some equations.

    Args:
        start: the mark of what is converted to more bits; None to follow only what is marked.
        computes: is told of each mark that gets to a heavy equation.
    """

    def __init__(self, start: Any, computes: Callable[[Any], None]) -> None:
        self._start, self._computes = start, computes

    def follow(self, equation: Any, variables: Sequence[Any], marks: Sequence[Any]) -> list[Any]:
        """The marks of the results of an equation, by those of its inputs; None for no mark."""
        name, results = equation.primitive.name, equation.outvars
        mark = next((mark for mark in marks if mark is not None and mark is not self._start), None)
        mark = next((mark for mark in marks if mark is not None), None) if mark is None else mark
        inner = equation.params.get(NESTED.get(name, ""))
        inner = getattr(inner, "jaxpr", inner)
        if inner is not None and len(inner.invars) == len(variables):
            return self._of_function(inner, marks)
        if mark is None and _converts(name, [variable.aval for variable in variables]):
            mark = self._start
        if mark is None or (name.startswith(("reduce_", "arg")) and name != "reduce_precision"):
            return [None] * len(results)
        if name in HEAVY:
            self._computes(mark)
        return [mark if is_wide(getattr(result.aval, "dtype", None)) else None for result in results]

    def _of_function(self, inner: Any, marks: Sequence[Any]) -> list[Any]:
        held = dict(zip(inner.invars, marks, strict=True))

        def of(variable: Any) -> Any:
            return None if isinstance(variable, Literal) else held.get(variable)

        for equation in inner.eqns:
            inputs = [*map(of, equation.invars)]
            if self._start is None and all(each is None for each in inputs):
                continue
            made = self.follow(equation, equation.invars, inputs)
            held.update(zip(equation.outvars, made, strict=True))
        return [*map(of, inner.outvars)]
