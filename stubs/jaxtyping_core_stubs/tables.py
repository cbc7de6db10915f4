"""Which dtype an operation gives, for every dtype: asked of JAX by abstract evaluation.

A table maps dtypes (for a function of one array) or pairs of dtypes (for two) to the pair of results without and
with 64-bit types. Weak types are dtypes of their own here. With 64-bit types off no array has one, so the answer
for such an input is that of the mode in which it exists.
"""

from __future__ import annotations

import functools
import importlib
import operator
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxtyping_core import dtypes

from .probing.evaluate import Call, Outcome, Spec, evaluate

#: The class names of a result: without and with 64-bit types; None where JAX refuses.
Pair = tuple[str, str]
Result = Pair | None
Inputs = tuple[str, ...]
Unary = dict[str, Result]
Binary = dict[tuple[str, str], Result]

#: What the stubs call a dtype that depends on the mode.
DEFAULTS: dict[tuple[str, str], str] = {
    ("int32", "int64"): "DefaultInt",
    ("uint32", "uint64"): "DefaultUInt",
    ("float32", "float64"): "DefaultFloat",
    ("complex64", "complex128"): "DefaultComplex",
}

BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "join": operator.add,
    "divide": operator.truediv,
    "power": operator.pow,
    "bitwise": operator.and_,
    "shift": operator.rshift,
}


@functools.cache
def nodes() -> tuple[str, ...]:
    """The dtypes and weak types that arrays can have here and that take part in promotion."""
    names = [name for name in dtypes.available() if dtypes.DTYPES[name].promotes and _makes_arrays(name)]
    return (*names, *dtypes.WEAK)


def _makes_arrays(name: str) -> bool:
    with jax.enable_x64(True):
        # Only traced: the compiler of some releases cannot make an array of every dtype that JAX has.
        made = jax.eval_shape(lambda: jnp.zeros((), dtypes.numpy_dtype(name)))
    return bool(made.dtype.name == name)


def class_name(node: str) -> str:
    """The class in the stubs for a dtype or weak type."""
    return dtypes.DTYPES[node].class_name if node in dtypes.DTYPES else node


def spell(result: Result) -> str | None:
    """The result as an annotation; None where there is none, or it is open."""
    if result is None or "?" in result:
        return None
    off, on = result
    return class_name(on) if off == on else DEFAULTS[result]


def in_both_modes(function: Callable[..., Any], inputs: Sequence[Inputs]) -> list[Result]:
    """The results for arrays of these dtypes, without and with 64-bit types."""
    calls = [Call(tuple(Spec(node, _SHAPE) for node in each)) for each in inputs]
    off, on = (list(map(_node, evaluate(function, calls, x64))) for x64 in (False, True))
    return [
        _both(high if set(each) & set(dtypes.TO_32_BITS) else low, high)
        for each, low, high in zip(inputs, off, on, strict=True)
    ]


_SHAPE = (2,)


def _node(outcome: Outcome) -> str | None:
    return outcome.node if isinstance(outcome, Spec) else None


def _both(off: str | None, on: str | None) -> Result:
    return None if off is None or on is None else (off, on)


@functools.cache
def binary(name: str) -> Binary:
    """The table of a function of two arrays."""
    pairs = [(a, b) for a in nodes() for b in nodes()]
    return dict(zip(pairs, in_both_modes(BINARY[name], pairs), strict=True))


@functools.cache
def unary(path: str) -> Unary:
    """The table of the function of one array that is called `path` ("jax.numpy.sin")."""
    module, _, attribute = path.rpartition(".")
    function = getattr(importlib.import_module(module), attribute)
    return dict(zip(nodes(), in_both_modes(function, [(node,) for node in nodes()]), strict=True))
