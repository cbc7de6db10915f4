"""file: jaxtyping's dims, in a class that a `match` compares with."""

import jax.numpy as jnp
from jaxtyping import Array, Float

Kind = Float[Array, '[open("pwned_dims_in_a_match","w")]and(3)']
match jnp.ones(3):
    case Kind():
        y = 1
    case _:
        y = 2
