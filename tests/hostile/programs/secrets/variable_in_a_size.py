"""secret: a variable of the environment is as long as an axis."""

import os

import jax.numpy as jnp

x = jnp.zeros(len(os.environ["HOSTILE_SECRET"]))
y = jnp.zeros(len(os.getenv("HOSTILE_SECRET")))
