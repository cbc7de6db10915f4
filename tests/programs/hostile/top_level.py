"""file: the module's top level opens it."""

import jax.numpy as jnp

with open("pwned_top_level", "w") as file:
    file.write("x")
x = jnp.ones(3)
