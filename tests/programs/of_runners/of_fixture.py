"""Tests around which a fixture sets options of JAX."""

import jax
import jax.numpy as jnp
import pytest
from jaxtyping import Array, Float64


@pytest.fixture(autouse=True)
def with_wide_types():
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", False)


def wide(x: Float64[Array, " n"]) -> Float64[Array, " n"]:
    return x


def test_wide():
    wide(jnp.zeros(3))
