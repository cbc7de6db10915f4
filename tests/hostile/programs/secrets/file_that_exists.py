"""secret: whether a file exists is a bit."""

import os

import jax.numpy as jnp

x = jnp.zeros(61_000 + (1 if os.path.exists("SECRET_FILE") else 3))
y = jnp.zeros(61_000 + (2 if os.access("SECRET_FILE", os.F_OK) else 3))
