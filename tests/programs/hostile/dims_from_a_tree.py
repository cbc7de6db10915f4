"""file: jaxtyping's dims, in a class that JAX itself makes when it reduces a tree."""

import operator

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

TEXT = 'open("pwned_dims_from_a_tree","w").close()or(3)'
Kind = jax.tree_util.tree_reduce(operator.getitem, [Float, (Array, TEXT)], is_leaf=lambda x: type(x) is tuple)
y = isinstance(jnp.ones(3), Kind)
