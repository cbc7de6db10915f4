"""Sizes that are traced arrays. Each program that fails has a twin that is right."""

import math
import sys
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


# %% a size that is traced
@jax.jit
def padded(x, n):
    return jnp.concatenate([x, jnp.zeros(n)])  # E: tracing


padded(jnp.ones(3), 2)


# %% a size that is static
@partial(jax.jit, static_argnums=(1,))
def padded(x, n):
    return jnp.concatenate([x, jnp.zeros(n)])


padded(jnp.ones(3), 2)


# %% reshape to a traced size
@jax.jit
def folded(x, heads):
    return x.reshape(heads, -1)  # E: tracing


folded(jnp.ones(6), 2)


# %% reshape to a size
@jax.jit
def folded(x, like):
    return x.reshape(like.shape[0], -1)


folded(jnp.ones(6), jnp.ones(2))


# %% arange of a traced end
@jax.jit
def positions(x, length):
    return x + jnp.arange(length)  # E: tracing


positions(jnp.ones(4), 4)


# %% arange of a size
@jax.jit
def positions(x):
    return x + jnp.arange(x.shape[0])


positions(jnp.ones(4))


# %% linspace and eye
@jax.jit
def grid(n):
    return jnp.eye(n)  # E: tracing


grid(3)


# %% eye of a size
@jax.jit
def grid(x):
    return jnp.eye(len(x)) + jnp.linspace(0, x[0], len(x))


grid(jnp.ones(3))


# %% a slice of traced ends
@jax.jit
def window(x, start):
    return x[start : start + 4]  # E: tracing


window(jnp.arange(10), 2)


# %% dynamic_slice
@jax.jit
def window(x, start):
    return jax.lax.dynamic_slice_in_dim(x, start, 4) + x[start] + x[:4]


window(jnp.arange(10), 2)
# %% a slice in the body of a fori_loop
data = jnp.ones((8, 3))


def body(i, total):
    return total + data[i * 2 : i * 2 + 2].sum()  # E: tracing


jax.lax.fori_loop(0, 4, body, 0.0)
# %% a slice in a loop of Python
data = jnp.ones((8, 3))


@jax.jit
def total(data):
    return sum(data[i * 2 : i * 2 + 2].sum() for i in range(4))


total(data)


# %% a mask as an index
@jax.jit
def positive(x):
    return x[x > 0].sum()  # E: tracing


positive(jnp.arange(-2.0, 3.0))


# %% a mask for a where
@jax.jit
def positive(x):
    return jnp.where(x > 0, x, 0).sum()


positive(jnp.arange(-2.0, 3.0))


# %% a mask for an update
@jax.jit
def cut(x):
    return x.at[x > 2].set(0.0)  # E: tracing


cut(jnp.arange(-2.0, 3.0))


# %% a mask for an update outside of it
def cut(x):
    return x.at[x > 2].set(0.0)


cut(jnp.arange(-2.0, 3.0))
# %% a mask that is known
keep = np.array([True, False, True])


@jax.jit
def chosen(x):
    return x[keep]


chosen(jnp.ones(3))
# %% a mask of an array that is not traced, in a jitted function
keep = jnp.array([True, False, True])


@jax.jit
def chosen(x):
    return x[keep]


chosen(jnp.ones(3))


# %% unique
@jax.jit
def labels(y):
    return jnp.unique(y)  # E: tracing


labels(jnp.array([1, 1, 2]))


# %% unique of a size
@jax.jit
def labels(y):
    return jnp.unique(y, size=2)


labels(jnp.array([1, 1, 2]))


# %% nonzero under vmap
def firsts(row):
    return jnp.nonzero(row)[0]  # E: tracing


jax.vmap(firsts)(jnp.eye(3))


# %% nonzero of a size
def firsts(row):
    return jnp.nonzero(row, size=1)[0]


jax.vmap(firsts)(jnp.eye(3))


# %% where of a condition alone
@jax.jit
def hits(x):
    (index,) = jnp.where(x > 0)  # E: tracing
    return index


hits(jnp.ones(3))


# %% where of three
@jax.jit
def hits(x):
    return jnp.where(x > 0, x, 0)


hits(jnp.ones(3))


# %% repeat by traced numbers
@jax.jit
def spread(x, counts):
    return jnp.repeat(x, counts)  # E: tracing


spread(jnp.ones(2), jnp.array([1, 2]))


# %% repeat of a total length
@jax.jit
def spread(x, counts):
    return jnp.repeat(x, counts, total_repeat_length=3)


spread(jnp.ones(2), jnp.array([1, 2]))


# %% an axis that is traced
@jax.jit
def reduced(x, axis):
    return x.sum(axis=axis)  # E: tracing


reduced(jnp.ones((2, 3)), 1)


# %% an axis that is static
@partial(jax.jit, static_argnames="axis")
def reduced(x, axis):
    return x.sum(axis=axis)


reduced(jnp.ones((2, 3)), axis=1)


# %% one_hot of a traced number of classes
@jax.jit
def targets(y, classes):
    return jax.nn.one_hot(y, classes)  # E: tracing


targets(jnp.array([0, 1]), 3)


# %% one_hot of a number
@jax.jit
def targets(y):
    return jax.nn.one_hot(y, 3)


targets(jnp.array([0, 1]))
# %% a size from the command line, in a function that is jitted
rows = int(sys.argv[1])


@jax.jit
def folded(x, n):
    return x.reshape(n, -1)  # E: tracing


folded(jnp.ones((rows, 4)), rows)
# %% such a size that is static
rows = int(sys.argv[1])


@partial(jax.jit, static_argnums=1)
def folded(x, n):
    return x.reshape(n, -1)


folded(jnp.ones((rows, 4)), rows)
