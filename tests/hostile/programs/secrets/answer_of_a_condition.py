"""secret: which error comes, if any, is what a file says."""

import jax.numpy as jnp

text = open("SECRET_FILE").read()
if text.startswith("zq"):
    more = 1
else:
    more = 2
x = jnp.ones(61_000 + more) @ jnp.ones(2)
