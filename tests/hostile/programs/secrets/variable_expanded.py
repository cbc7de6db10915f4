"""secret: paths and templates have variables put in their places."""

import os
import string

import jax.numpy as jnp

text = os.path.expandvars("$HOSTILE_SECRET")
x = jnp.zeros(len(text))
y = string.Template("$HOSTILE_SECRET").substitute(os.environ)
