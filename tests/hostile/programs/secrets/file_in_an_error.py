"""secret: the content of a file is in the message of an error, and in the name of another."""

import jax
import jax.numpy as jnp
from einops import rearrange

with open("SECRET_FILE", "rb", buffering=0) as file:
    text = file.read(18).decode()
x = rearrange(jnp.ones((3, 4)), "a b -> b " + text)
