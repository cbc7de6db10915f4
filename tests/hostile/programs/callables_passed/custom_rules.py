"""file: rules of derivatives, and a solver that is the program's."""

import os

import jax
import jax.numpy as jnp


@jax.custom_vjp
def f(x):
    return x * 2


def forward(x):
    os.makedirs("pwned_custom_rules_forward", exist_ok=True)
    return f(x), x


def backward(x, g):
    open("pwned_custom_rules_backward", "w").close()
    return (g,)


f.defvjp(forward, backward)
x = jax.grad(f)(1.0)
y = jax.lax.custom_root(
    lambda v: v - 1.0, 0.5, lambda g, v: open("pwned_custom_rules_root", "w") and v, lambda g, v: v / g(1.0)
)
