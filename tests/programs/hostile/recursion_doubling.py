"""time: calls that double at each level."""

import jax.numpy as jnp


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def twice(x, n):
    if n == 0:
        return x
    return twice(x + 1, n - 1) + twice(x - 1, n - 1)


x = fibonacci(60)
y = twice(jnp.ones(3), 60)
