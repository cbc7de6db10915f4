"""state: attributes of a library's classes and functions are replaced."""

import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp

eqx.nn.Linear.__call__ = lambda self, x, key=None: jnp.zeros((7, 7))
nn.Dense.__call__ = lambda self, x: jnp.zeros((7, 7))
jnp.dot.extra = 3
jnp.float32.dtype = jnp.dtype("int8")
jax.nn.initializers.ones.__defaults__ = (jnp.int8,)
