"""Sizes that only a run knows."""

# one python
# argv: 2 3 12
# argv: 3 2 18

import sys

import jax
import jax.numpy as jnp
import numpy as np

b, c, n = (int(each) for each in sys.argv[1:4])
v = jnp.zeros(n)


# %% reshape to an option and the rest
x = v.reshape(b, -1)  # P: x: float32[?, ?]


# %% reshape to two options, the rest and one
x = v.reshape(b, c, -1, 1)  # P: x: float32[?, ?, ?, 1]  # P(plugin): x: float32[...]


# %% an array of NumPy that is reshaped
x = jnp.asarray(np.zeros(n).reshape(b, -1))  # P: x: float32[?, ?]


# %% rows of NumPy that keep their number
y = np.zeros((n, 4, 7))
x = jnp.asarray(y.reshape(len(y), -1))  # P: x: float32[?, 28]  # P(plugin): x: float32[?, ?]


# %% rows of NumPy in batches
y = np.zeros((n, 4, 7))
x = jnp.asarray(y[: n // b * b].reshape(n // b, b, 28))  # P: x: float32[?, ?, 28]  # P(plugin): x: float32[?, ?, ?]


# %% a product over an option
x = jnp.zeros((3, 4 * b)) @ jnp.zeros((4 * b, 5))  # P: x: float32[3, 5]


# %% sizes that are arguments, all of them
# only: engine, plugin, show, server - a run stops: the name of a program is no number
ys = [jnp.zeros(int(each)) for each in sys.argv]
x = jnp.zeros(len(ys[0]) - len(ys[1]) + 3)  # P: x: ?  # P(plugin): x: float32[?]


# %% a size that changes in a loop
z = v
for i in range(1, n):
    x = jnp.zeros(abs(len(jnp.zeros(i)) - len(z)) + 1)  # P: x: float32[...]  # P(plugin): x: float32[?]
    z = jnp.zeros(i)


# %% a gradient of the size of an option
def f(w, m):
    return (w * jnp.zeros(m)).sum()
l, x = jax.value_and_grad(f)(jnp.zeros(b), b)  # P: x: float32[?]


# %% a gradient of a number beside an option
def f(m, w):
    return m * w
x = jax.grad(f, argnums=1)(b, jnp.zeros(()))  # P: x: float32[]


# %% rows of two options under vmap
# argv: 2 2 12
# `vmap` does not take these sizes, perhaps: what is walked in another way then says what the function gets.
def f(a, b):
    x = jnp.dot(a[:2], b[:2])  # P: x: float32[]  # P(plugin): x: ?
    return x
jax.vmap(f)(jnp.ones((b, 5)), jnp.ones((c, 5)))
