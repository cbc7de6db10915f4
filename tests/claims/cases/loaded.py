"""An array that only a run knows, and what tests of it tell."""

# one python

import sys

import jax
import jax.numpy as jnp
import numpy as np
from nowhere import unknown

k = int(sys.argv[1])
a = jnp.asarray(unknown())


# %% its shape is asserted
# unknown: lambda: jnp.ones((10, 3), int)
assert a.shape == (10, 3)
x = a.astype('float32')  # P: x: float32[10, 3]


# %% its dtype and last size are asserted
# unknown: lambda: jnp.ones((4, 3), int)
# unknown: lambda: jnp.ones((5, 3), int)
assert a.dtype == jnp.int32 and not (a.ndim != 2 or a.shape[-1] != 3)
x = +a  # P: x: maybe weak int32[?, 3]


# %% its shape is asserted to be an option's
# unknown: lambda: jnp.ones((3, 3), int)
assert a.shape == (k, k)
x = a.astype('float32') @ jnp.ones((k, 2))  # P: x: float32[?, 2]


# %% any other rank is an error
# unknown: lambda: jnp.ones(5)
if a.ndim != 1:
    raise ValueError
x = jnp.float32(a)  # P: x: float32[?]


# %% one rank is treated alone
# unknown: lambda: jnp.ones(5)
# unknown: lambda: jnp.ones((2, 3))
if a.ndim == 1:
    y = a
x = jnp.float32(a)  # P: x: float32[...]


# %% a shape or something else is asserted
# unknown: lambda: jnp.ones((3, 2))
# unknown: lambda: jnp.ones(5)
assert a.shape == (3, 2) or k
x = jnp.float32(a)  # P: x: float32[...]


# %% another takes the place of the one that was asserted
# unknown: lambda: jnp.ones((3, 2))
assert a.shape == (3, 2)
a = unknown()
x = jnp.float32(a)  # P: x: float32[...]


# %% assertions that contradict each other
# only: engine, plugin, show, server - no array passes both assertions
assert a.ndim == 2
assert a.shape == (3, 2, 1)
x = jnp.float32(a)  # P: x: float32[?, ?]


# %% chex asserts a shape
# only: engine, plugin, show, server - chex need not be installed
import chex
chex.assert_shape([a, k], (2, None, 3))
x = jnp.float32(a)  # P: x: float32[2, ?, 3]


# %% chex asserts one of two ranks
# only: engine, plugin, show, server - chex need not be installed
import chex
chex.assert_rank(a, {2, 3})
x = jnp.float32(a)  # P: x: float32[...]


# %% chex asserts a rank and a dtype
# only: engine, plugin, show, server - chex need not be installed
import chex
chex.assert_rank(a, 2)
chex.assert_type(a, jnp.int8)
x = +a  # P: x: maybe weak int8[?, ?]


# %% chex asserts the first size
# only: engine, plugin, show, server - chex need not be installed
import chex
chex.assert_rank(a, 4)
chex.assert_shape(a, (2, ..., {1, 3}))
x = jnp.float32(a)  # P: x: float32[2, ?, ?, ?]


# %% dot with an array
# unknown: lambda: jnp.ones(9)
# unknown: lambda: jnp.ones((9, 2))
# unknown: lambda: 2.0
# A scalar goes with every array: what else does has a size of theirs, wherever they come from.
x = jnp.float32(jnp.dot(jnp.ones((2, 3, 4, 9)), a))  # P: x: float32[...]


# %% dot with an array of NumPy
# unknown: lambda: jnp.ones(9)
# unknown: lambda: jnp.ones((9, 2))
# unknown: lambda: 2.0
x = jnp.float32(jnp.dot(np.arange(9), a))  # P: x: float32[...]


# %% dot with its rows
# unknown: lambda: jnp.ones((4, 7))
# unknown: lambda: jnp.ones((4, 7, 2))
# unknown: lambda: jnp.ones(4)
def f(row):
    return jnp.dot(jnp.full((11, 7), 0.5), row)
x = jnp.float32(jax.lax.map(f, a))  # P: x: float32[...]


# %% dot of NumPy
# unknown: lambda: np.ones(9)
# unknown: lambda: np.ones((9, 2))
# unknown: lambda: 2.0
x = jnp.asarray(np.dot(np.ones((2, 3, 4, 9)), np.asarray(unknown(), np.float32)))  # P: x: float32[...]  # P(plugin): x: ?


# %% dot of NumPy with a list
# unknown: lambda: np.ones(9)
# unknown: lambda: np.ones((9, 2))
# unknown: lambda: 2.0
x = jnp.asarray(np.dot([0.1] * 9, np.asarray(unknown(), np.float32)))  # P: x: float32[...]  # P(plugin): x: ?


# %% a product of NumPy
# unknown: lambda: np.ones(9)
# unknown: lambda: np.ones((4, 1))
# unknown: lambda: np.ones((5, 2, 3, 4, 9))
x = jnp.asarray(np.ones((2, 3, 4, 9)) * np.asarray(unknown(), np.float32))  # P: x: float32[...]


# %% a size that may be anything
# unknown: lambda: 4
# Of what may be anything, several numbers and arrays of several sizes are tried: what is the same for all stays.
x = jnp.ones((2, 7, unknown()))  # P: x: float32[2, 7, ?]
