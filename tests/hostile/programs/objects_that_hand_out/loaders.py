"""secret: the loader of a module reads any file."""

import jax
import jax.numpy as jnp

data = jax.__loader__.get_data("SECRET_FILE")
x = jnp.zeros(len(data))
y = jax.__spec__.loader.get_data("SECRET_FILE").decode()
