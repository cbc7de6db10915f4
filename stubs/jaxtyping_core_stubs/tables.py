"""Which dtype an operation gives, for every dtype: asked of JAX by abstract evaluation.

A table maps dtypes (for a function of one array) or pairs of dtypes (for two) to the pair of results without and
with 64-bit types. Weak types are dtypes of their own here. With 64-bit types off no array has one, so the answer
for such an input is that of the mode in which it exists.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import operator
from collections.abc import Callable, Iterable
from typing import Any

import jax
import jax.numpy as jnp

from jaxtyping_core import dtypes

#: The class names of a result: without and with 64-bit types; None where JAX refuses.
Result = tuple[str, str] | None
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
    "shift": operator.rshift,
}


@functools.cache
def nodes() -> tuple[str, ...]:
    """The dtypes and weak types that arrays can have here and that take part in promotion."""
    found = [name for name in dtypes.available() if dtypes.DTYPES[name].promotes and _makes_arrays(name)]
    return (*found, *dtypes.WEAK)


def _makes_arrays(name: str) -> bool:
    with jax.enable_x64(True):
        # Only traced: the compiler of some releases cannot make an array of every dtype that JAX has.
        made = jax.eval_shape(lambda: jnp.zeros((), dtypes.numpy_dtype(name)))
    return bool(made.dtype.name == name)


def class_name(node: str) -> str:
    """The class in the stubs for a dtype or weak type."""
    return dtypes.DTYPES[node].class_name if node in dtypes.DTYPES else node


def spell(result: Result) -> str | None:
    """The result as an annotation."""
    if result is None:
        return None
    off, on = result
    return class_name(on) if off == on else DEFAULTS[result]


def abstract_array(node: str, shape: tuple[int, ...] = ()) -> Any:
    """An abstract array of the dtype or weak type `node`."""
    weak = node in dtypes.WEAK
    name = dtypes.default_dtype(dtypes.WEAK[node], jax.config.jax_enable_x64) if weak else node
    return jax.ShapeDtypeStruct(shape, dtypes.numpy_dtype(name), weak_type=weak)


def node_of(aval: Any) -> str:
    """The dtype or weak type of an abstract array."""
    dtype = jnp.dtype(aval.dtype)
    if aval.weak_type:
        kinds = {kind: weak for weak, kind in dtypes.WEAK.items()}
        return kinds[dtype.kind]
    return str(dtype.name)


def result(function: Callable[..., Any], inputs: Iterable[str], shape: tuple[int, ...] = (2,)) -> str | None:
    """The dtype that `function` gives for arrays of the dtypes `inputs`; None where JAX refuses."""
    try:
        out = jax.eval_shape(function, *(abstract_array(node, shape) for node in inputs))
    except Exception:  # noqa: BLE001 - whatever JAX raises is its refusal
        return None
    return node_of(out) if hasattr(out, "dtype") else None


def in_both_modes(function: Callable[..., Any], inputs: tuple[str, ...]) -> Result:
    """The result without and with 64-bit types."""
    wide = any(node in dtypes.TO_32_BITS for node in inputs)
    found = []
    for x64 in (False, True):
        with jax.enable_x64(x64), contextlib.nullcontext():
            found.append(None if wide and not x64 else result(function, inputs))
    off, on = found
    if wide:
        off = on
    return None if off is None or on is None else (off, on)


@functools.cache
def binary(name: str) -> Binary:
    """The table of a function of two arrays."""
    return {(a, b): in_both_modes(BINARY[name], (a, b)) for a in nodes() for b in nodes()}


@functools.cache
def unary(path: str) -> Unary:
    """The table of the function of one array that is called `path` ("jax.numpy.sin")."""
    module, _, attribute = path.rpartition(".")
    function = getattr(importlib.import_module(module), attribute)
    return {node: in_both_modes(function, (node,)) for node in nodes()}
