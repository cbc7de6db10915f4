"""Functions of ``jax.numpy`` in the form that strict mode needs."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jaxtyping_core.numpy import _context, _rules


def power(x1: Any, x2: Any, /) -> Any:
    """``jax.numpy.power``, also for a float to the power of an integer array, which strict mode refuses.

    It computes what ``jax.numpy`` does: ``lax.pow`` takes the two dtypes as they are, and a concrete integer
    of rank 0 is an exponent for repeated multiplication.
    """
    traced = isinstance(x2, jax.core.Tracer)
    whole = hasattr(x2, "dtype") and jnp.issubdtype(x2.dtype, np.integer)
    if whole and (traced or np.ndim(x2)) and jnp.issubdtype(jnp.result_type(x1), np.inexact):
        return lax.pow(*jnp.broadcast_arrays(x1, x2))
    return jnp.power(x1, x2)


pow = power


def _exactly(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """``jax.numpy``'s function `name`, but of bools and integers the decorated one, except under JAX's own systems.

    JAX computes these in floating point, where a float32 holds integers up to 2**24 alone.
    """
    theirs = getattr(jnp, name)
    places = list(inspect.signature(theirs).parameters)[:2]

    def decorate(exact: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(theirs)
        def function(*args: Any, **kwargs: Any) -> Any:
            if len(args) < len(places) and kwargs.keys() >= set(places[len(args) :]):
                args = (*args, *(kwargs.pop(place) for place in places[len(args) :]))
            if len(args) < len(places):
                return theirs(*args, **kwargs)  # which says what is missing
            x1, x2, *rest = args
            whole = not jnp.issubdtype(jnp.result_type(x1, x2), np.inexact) and not kwargs.keys() - {"mode"}
            if whole and _context.current() not in _rules.OF_JAX and np.size(x1) and np.size(x2):
                return exact(jnp.atleast_1d(x1), jnp.atleast_1d(x2), *rest, **kwargs)
            return theirs(*args, **kwargs)

        vars(function).pop("_jit_info", None)  # which is for another function
        return function

    return decorate


@_exactly("convolve")
def convolve(a: Any, v: Any, mode: str = "full") -> Any:
    if a.size < v.size:
        a, v = v, a
    return _part(_products(a, v[::-1]), a.size, v.size, mode)


@_exactly("correlate")
def correlate(a: Any, v: Any, mode: str = "valid") -> Any:
    if a.size < v.size:
        return correlate(v, a, mode)[::-1]
    return _part(_products(a, v), a.size, v.size, mode)


@_exactly("polymul")
def polymul(a1: Any, a2: Any) -> Any:
    return convolve(a1, a2)


def _products(long: Any, short: Any) -> Any:
    """The scalar products of `short` with every part of `long`, over its ends too."""
    padded = jnp.pad(long, short.size - 1)
    parts = padded[np.arange(long.size + short.size - 1)[:, None] + np.arange(short.size)]
    return parts @ short


def _part(full: Any, long: int, short: int, mode: str) -> Any:
    """The part of a full convolution that `mode` names.

    Raises:
        ValueError: there is no such mode.
    """
    starts = {
        "full": (0, long + short - 1),
        "same": ((short - 1) // 2, long),
        "valid": (short - 1, long - short + 1),
    }
    if mode not in starts:
        raise ValueError(f"mode must be 'full', 'same' or 'valid', got {mode!r}")
    start, size = starts[mode]
    return full[start : start + size]
