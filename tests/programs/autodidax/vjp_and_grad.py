"""`vjp` and `grad`: of a function, and through jitted ones."""

import jax

jax.config.update("jax_enable_x64", True)

from jax import grad, jit, vjp
from jax.numpy import cos, sin


def f(x):
    y = sin(x) * 2.0
    z = -y + x
    return z


y, f_vjp = vjp(sin, 3.0)
(x_bar,) = f_vjp(1.0)
assert abs(x_bar - -0.9899924966004454) < 1e-15
slope = grad(f)(3.0)
assert abs(slope - 2.979984993200891) < 1e-15


@jit
def outer(x):
    y = x * 2.0
    z = g(y)
    return z


@jit
def g(x):
    return cos(x) * 2.0


slope = grad(outer)(3.0)
assert abs(slope - 1.1176619927957034) < 1e-15
