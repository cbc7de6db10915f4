"""state: an enumeration writes its members into the module that it names."""

import enum

import jax.numpy as jnp


@enum.global_enum
class Mode(enum.Enum):
    __module__ = "jax.numpy"
    ones = 1
    zeros = 2
    dot = 3
