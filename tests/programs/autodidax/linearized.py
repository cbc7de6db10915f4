"""`linearize`: of a function, of a jitted one, of one jitted function inside another."""

import jax

jax.config.update("jax_enable_x64", True)

from jax import jit, linearize
from jax.numpy import cos, sin

y, sin_lin = linearize(sin, 3.0)
slope = sin_lin(1.0)
assert abs(y - 0.1411200080598672) < 1e-15
assert abs(slope - -0.9899924966004454) < 1e-15
assert abs(slope - cos(3.0)) < 1e-15


@jit
def f(x):
    y = sin(x) * 2.0
    z = -y + x
    return z


y, f_lin = linearize(f, 3.0)
y_dot = f_lin(1.0)
assert abs(y - 2.7177599838802657) < 1e-15
assert abs(y_dot - 2.979984993200891) < 1e-15


@jit
def outer(x):
    y = sin(x) * 2.0
    z = g(x, y)
    return z


@jit
def g(x, y):
    return cos(x) + y


y, outer_lin = linearize(outer, 3.0)
y_dot = outer_lin(1.0)
assert abs(y - -0.7077524804807109) < 1e-15
assert abs(y_dot - -2.121105001260758) < 1e-15
