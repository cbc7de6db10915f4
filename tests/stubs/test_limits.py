"""What the stubs say of the limits of dtypes is so when a program runs."""

from __future__ import annotations

import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

from jaxtyping_core_stubs.compiled import LIMITS

#: The dtypes that have limits of a type that the stubs name, and that type.
TYPES = {
    "bfloat16": ml_dtypes.bfloat16,
    "float16": np.float16,
    "float32": np.float32,
    "float64": np.float64,
}


@pytest.mark.parametrize("name", TYPES)
def test_limits_are_scalars_of_the_dtype(name: str) -> None:
    dtype = np.dtype(name)
    for asked in (dtype, dtype.type, name, np.zeros(3, dtype)):
        limits = jnp.finfo(asked)
        assert {type(getattr(limits, each)) for each in LIMITS} == {TYPES[name]}
