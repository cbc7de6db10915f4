"""Tests around which options of JAX are set. The lines that stop one of them have the comment ``error``."""

import unittest

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float64


def wide(x: Float64[Array, " n"]) -> Float64[Array, " n"]:
    return x


class Wide(unittest.TestCase):
    def setUp(self):
        jax.config.update("jax_enable_x64", True)

    def test_wide(self):
        wide(jnp.zeros(3))


class Narrow(unittest.TestCase):
    def test_wide(self):
        wide(jnp.zeros(3))  # error
