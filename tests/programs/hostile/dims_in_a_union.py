"""file: jaxtyping's dims in the form of an f-string, in a union."""

import jax.numpy as jnp
from jaxtyping import Array, Float, Int

TEXT = '{open("pwned_dims_in_a_union","w").close()}'
y = isinstance(jnp.ones(3), Int[Array, "..."] | Float[Array, TEXT])
