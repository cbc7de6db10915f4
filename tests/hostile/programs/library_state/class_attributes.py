"""state: methods of classes of libraries."""

import enum

import equinox as eqx
import jax.numpy as jnp
import optax

eqx.nn.Linear.__call__ = lambda self, x, key=None: jnp.zeros((7, 7))
eqx.nn.Linear.pwned = 2
enum.Enum._missing_ = classmethod(lambda cls, value: None)
setattr(optax.GradientTransformation, "pwned", 1)
