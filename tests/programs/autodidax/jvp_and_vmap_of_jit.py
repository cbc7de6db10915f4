"""`jvp` and `vmap` of a jitted function, which is still traced once for each of them at most."""

import jax

jax.config.update("jax_enable_x64", True)

import numpy as np
from jax import jit, jvp, vmap
from jax.numpy import sin

traced = []


@jit
def f(x):
    traced.append("f")
    y = sin(x) * 2.0
    z = -y + x
    return z


x, xdot = 3.0, 1.0
y, ydot = jvp(f, (x,), (xdot,))
assert abs(y - 2.7177599838802657) < 1e-15
assert abs(ydot - 2.979984993200891) < 1e-15
y, ydot = jvp(f, (x,), (xdot,))
assert traced == ["f"]
ys = vmap(f, (0,))(np.arange(3.0))
assert np.allclose(ys, [0.0, -0.68294197, 0.18140515], atol=5e-9, rtol=0)
