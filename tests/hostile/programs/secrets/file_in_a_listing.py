"""secret: a folder's names are counted."""

import glob
import os

import jax.numpy as jnp

names = os.listdir(os.path.dirname("SECRET_FILE"))
x = jnp.ones(61_000 + ("secret" in names))
y = jnp.ones(61_000 + 2 * len(glob.glob("SECRET_FILE*")))
