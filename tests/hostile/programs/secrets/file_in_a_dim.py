"""secret: a dim of jaxtyping is called like the content of a file, and is told in an error."""

import jax.numpy as jnp
from jaxtyping import Array, Float

text = open("SECRET_FILE").read()[:18]
kind = Float[Array, text + " 3"]
raise TypeError(kind.dim_str)
