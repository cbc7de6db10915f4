"""A Python branch on the argument: `grad` takes it, for the value is there; `jit` refuses it."""

import jax

jax.config.update("jax_enable_x64", True)

from jax import grad, jit
from jax.numpy import cos, sin


def f(x):
    if x > 0.0:
        y = sin(x)
    else:
        y = cos(x)
    return y


positive = grad(f)(3.0)
negative = grad(f)(-3.0)
assert abs(positive - -0.9899924966004454) < 1e-15
assert abs(negative - 0.1411200080598672) < 1e-15
try:
    jit(f)(3.0)
except jax.errors.TracerBoolConversionError:
    refused = True
assert refused
