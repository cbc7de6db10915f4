"""secret: the size of a file is told by its status, without reading it."""

import os
import pathlib

import jax.numpy as jnp

x = jnp.zeros(os.stat("SECRET_FILE").st_size)
y = jnp.zeros(pathlib.Path("SECRET_FILE").stat().st_size)
z = jnp.zeros(os.path.getsize("SECRET_FILE"))
