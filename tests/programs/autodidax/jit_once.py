"""`jit` traces a function once for each type of its arguments, and gives what the function gives."""

import jax

jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp
import numpy as np
from jax import jit
from jax.numpy import cos, sin

traced = []


@jit
def f(x, y):
    traced.append("f")
    return sin(x) * cos(y)


z = f(3.0, 4.0)
assert abs(z - -0.09224219304455371) < 1e-15
z = f(4.0, 5.0)
assert abs(z - -0.21467624978306993) < 1e-15
assert traced == ["f"]


@jit
def total(x):
    return jnp.sum(x, axis=0)


s = total(np.array([1.0, 2.0, 3.0]))
assert s == 6.0
