"""file: jaxtyping evaluates a dim in parentheses when an instance is checked."""

import jax.numpy as jnp
from jaxtyping import Array, Int

x = jnp.ones((2, 5), jnp.int32)
known = isinstance(x, Int[Array, '2 (open("pwned_jaxtyping_dim_expression","w").close()or(5))'])
