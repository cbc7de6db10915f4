"""state: names of libraries are replaced, for every program that is evaluated later."""

import math

import jax
import jax.numpy as jnp
import numpy as np

jnp.sin = lambda x: jnp.zeros((7, 7), jnp.int32)
jax.numpy.cos = jnp.sin
setattr(jnp, "tan", jnp.sin)
jnp.__dict__["exp"] = jnp.sin
vars(jnp)["tanh"] = jnp.sin
np.zeros = None
math.sqrt = lambda x: 7
del jnp.abs
