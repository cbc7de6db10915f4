"""Functions of ``jax.numpy`` in the form that strict mode needs."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


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
