"""file: a dim with an operator, no parentheses, calls a function in its second half."""

import jax.numpy as jnp
from jaxtyping import Array, Shaped

kind = Shaped[Array, 'rows rows*len(open("pwned_jaxtyping_shaped_product","w").name[:1])']
x = isinstance(jnp.zeros((6, 6)), kind)
