"""secret: the length of a file is a size, and its first letter a bit."""

import jax.numpy as jnp

text = open("SECRET_FILE").read()
x = jnp.zeros((2, len(text)))
y = jnp.zeros(61_000 + (1 if text[0] == "z" else 2))
