"""file: the dims of a function's parameters, which beartype checks at a call."""

import jax.numpy as jnp
from beartype import beartype
from jaxtyping import Array, Float, jaxtyped


@jaxtyped(typechecker=beartype)
def scaled(x: Float[Array, 'n {open("pwned_jaxtyping_of_function","w").close()or(n)}'], n: int):
    return x


y = scaled(jnp.ones((4, 4)), 4)
