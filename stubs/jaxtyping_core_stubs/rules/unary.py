"""The tables of one dtype: which dtype a function of one array gives, for every dtype.

Functions that agree wherever both accept an array share a table. Each is taken from one function that accepts as much
as any; where none of JAX's does, from one below.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

#: The name of a table -> the function that it is taken from.
UNARY: dict[str, str] = {
    "inexact": "jax.numpy.sin",
    "mean": "jax.numpy.mean",
    "soft_sign": "jax.nn.soft_sign",
    "softplus": "jax.nn.softplus",
    "cauchy": "jax.scipy.stats.cauchy.cdf",
    "elu": "jax.nn.elu",
    "relu": "jax.nn.relu",
    "strong": "jax.numpy.max",
    "sum": "jax.numpy.sum",
    "cumsum": "jax.numpy.cumsum",
    "fft": "jax.numpy.fft.fft",
    "irfft": "jax.numpy.fft.irfft",
    "dct": "jax.scipy.fft.dct",
    "abs": "jax.numpy.abs",
    "real": "jax.numpy.real",
    "std": "jax.numpy.std",
    "real_inexact": f"{__name__}.real_inexact",
    "complex_inexact": f"{__name__}.complex_inexact",
    "vector_norm": "jax.numpy.linalg.vector_norm",
    "angle": "jax.numpy.angle",
    "rint": "jax.numpy.rint",
    "square": "jax.numpy.square",
    "nan_to_num": "jax.numpy.nan_to_num",
}


def real_inexact(x: Any) -> Any:
    """Like the singular values of a matrix, with a dtype for every array."""
    return jnp.real(jnp.sin(x))


def complex_inexact(x: Any) -> Any:
    """Like the eigenvalues of a matrix, with a dtype for every array."""
    return jnp.sin(x) * 1j
