"""secret: which error comes, if any, is what a file says."""

import jax.numpy as jnp

text = open("SECRET_FILE").read()
if text.startswith("zq"):
    x = jnp.ones(61_000 + 1) @ jnp.ones(2)
else:
    x = jnp.ones(61_000 + 2) @ jnp.ones(2)
