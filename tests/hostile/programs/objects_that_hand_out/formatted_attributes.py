"""secret: format reads attributes and items of what it formats, as a key function."""

import contextlib
import functools
import itertools

import jax.numpy as jnp

TEXT = "{0.__globals__[os].environ[HOSTILE_SECRET]}"
x = [*itertools.starmap(TEXT.format, [(contextlib.contextmanager,)])][0]
y = jnp.zeros(len(x))
z = functools.reduce(str.format, [TEXT, contextlib.contextmanager])
n = jnp.zeros(len(z))
t = [*map(TEXT.format, [contextlib.contextmanager])]
m = jnp.zeros(len(t[0]))
