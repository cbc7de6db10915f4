"""Functions of Python that ask arrays for a condition: `min`, `sorted`, `any`, `in`. Each program that fails has a twin that is right."""

import math
import sys
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


# %% min of traced numbers
@jax.jit
def bounded(x, top):
    return min(x, top)  # E: tracing


bounded(1.0, 2.0)


# %% jnp.minimum of traced numbers
@jax.jit
def bounded(x, top):
    return jnp.minimum(x, top)


bounded(1.0, 2.0)


# %% sorted of traced numbers
@jax.jit
def middle(a, b, c):
    return sorted([a, b, c])[1]  # E: tracing


middle(1.0, 3.0, 2.0)


# %% jnp.sort of traced numbers
@jax.jit
def middle(a, b, c):
    return jnp.sort(jnp.stack([a, b, c]))[1]


middle(1.0, 3.0, 2.0)


# %% any of traced bools
@jax.jit
def bad(xs):
    return any([jnp.isnan(x).any() for x in xs])  # E: tracing


bad([jnp.ones(2), jnp.ones(3)])


# %% any of sizes
@jax.jit
def longest(xs):
    return xs[0] if any([len(x) > 2 for x in xs]) else xs[1]


longest([jnp.ones(2), jnp.ones(3)])


# %% a search among traced numbers
@jax.jit
def known(label):
    return 1 if label in (3, 4) else 0  # E: tracing


known(3)


# %% a search among texts
@partial(jax.jit, static_argnames="mode")
def act(x, mode):
    return jnp.tanh(x) if mode in ("tanh", "soft") else x


act(jnp.ones(2), mode="tanh")
