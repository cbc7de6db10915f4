"""file: jaxtyping's dims behind another one, in an annotation of an annotation."""

import jax.numpy as jnp
from jaxtyping import Array, Float, Shaped

y = isinstance(jnp.ones((3, 3)), Shaped[Float[Array, '1+open("pwned_dims_of_two","w").close()'], "n"])
