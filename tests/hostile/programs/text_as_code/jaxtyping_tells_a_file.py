"""secret: a dim reads a file: whether the array fits tells how long it is."""

import jax.numpy as jnp
from jaxtyping import Array, Float

DIM = '1000+len(open("SECRET_FILE").read())//(40008+1)'
x = isinstance(jnp.ones((3, 1001)), Float[Array, "3 " + DIM])
y = jnp.ones(60_001 + (1000 if x else 7))
