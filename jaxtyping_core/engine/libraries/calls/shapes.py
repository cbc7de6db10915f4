"""Shapes that are passed to functions that make arrays: what is not known in one is an int, for JAX and NumPy take nothing else."""

from __future__ import annotations

import functools
import inspect
from typing import Any

import jax
import numpy as np

from ...values.unknowns import UNKNOWN, AbstractScalar

#: Functions of `jax.numpy` and NumPy whose parameter `shape` is of ints alone, as it is of all functions of `jax.random`. Those of
#: others may be arrays, as of `unravel_index`, or say something else than a size, as a -1 does in `reshape`.
MAKING = ("zeros", "ones", "empty", "full")
#: Where functions are that make parameters, of a key and a shape.
INITIALIZERS = ("jax.nn.initializers", "jax._src.nn.initializers")


@functools.cache
def _signatures() -> dict[Any, inspect.Signature]:
    """The signatures of such functions."""
    functions = [
        *(getattr(jax.numpy, name) for name in MAKING),
        *filter(inspect.isfunction, vars(jax.random).values()),
    ]
    signatures = {f: inspect.signature(f) for f in functions}
    of_numpy = inspect.signature(
        lambda shape, *args, **kwargs: None
    )  # those that are not of Python need not have one
    signatures.update((getattr(np, name), of_numpy) for name in MAKING)
    return {f: signature for f, signature in signatures.items() if "shape" in signature.parameters}


def with_ints(f: Any, args: list[Any], kwargs: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """The arguments, with an unknown int for each part of a shape of which nothing is known."""
    if not any(_is_open(value) for value in (*args, *kwargs.values())):
        return args, kwargs
    is_initializer = inspect.isfunction(f) and f.__module__ in INITIALIZERS
    signature = inspect.signature(f) if is_initializer else _signatures().get(f)
    if signature is None:
        return args, kwargs
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError:
        return args, kwargs
    shape = bound.arguments.get("shape")
    if isinstance(shape, (tuple, list)) and _is_open(shape):
        bound.arguments["shape"] = type(shape)(
            AbstractScalar(int) if part is UNKNOWN else part for part in shape
        )
    return list(bound.args), bound.kwargs


def _is_open(value: Any) -> bool:
    return type(value) in (tuple, list) and any(part is UNKNOWN for part in value)
