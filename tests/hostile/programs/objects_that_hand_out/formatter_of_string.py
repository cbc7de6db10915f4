"""secret: string.Formatter, str.format_map and a template by a subclass."""

import contextlib
import string

import jax.numpy as jnp

TEXT = "{0.__globals__[os].environ[HOSTILE_SECRET]}"
x = string.Formatter().vformat(TEXT, (contextlib.contextmanager,), {})
y = jnp.zeros(len(x))
z = "{f.__globals__[os].environ[HOSTILE_SECRET]}".format_map({"f": contextlib.contextmanager})
