"""Errors that a context catches are none."""

import contextlib
import unittest

import jax.numpy as jnp
import pytest


def right_suppressed():
    with contextlib.suppress(TypeError):
        jnp.ones(2) + jnp.ones(3)


def right_expected():
    with pytest.raises(TypeError) as info:
        jnp.ones(2) @ jnp.ones(3)
    return info.value


def right_asserted():
    with unittest.TestCase().assertRaises(TypeError):
        jnp.ones(2) @ jnp.ones(3)


def wrong_after():
    with contextlib.suppress(TypeError):
        jnp.ones(2) + jnp.ones(3)
    return jnp.ones(4) + jnp.ones(5)  # error


def wrong_within():
    with contextlib.nullcontext():
        return jnp.ones(4) + jnp.ones(6)  # error
