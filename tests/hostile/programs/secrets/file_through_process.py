"""secret: another program reads it."""

import subprocess

import jax.numpy as jnp

text = subprocess.run(["cat", "SECRET_FILE"], capture_output=True, text=True).stdout
x = jnp.zeros(len(text))
