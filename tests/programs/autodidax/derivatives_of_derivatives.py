"""`jvp` twice over, with and without `jit`."""

import jax

jax.config.update("jax_enable_x64", True)

from jax import jit, jvp
from jax.numpy import sin


def f(x):
    y = sin(x) * 2.0
    z = -y + x
    return z


def deriv(f):
    return lambda x: jvp(f, (x,), (1.0,))[1]


second = deriv(deriv(f))(3.0)
compiled = jit(deriv(deriv(f)))(3.0)
for value in (second, compiled):
    assert abs(value - 0.2822400161197344) < 1e-15
