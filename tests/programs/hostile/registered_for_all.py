"""state: a class of Python's or a library's is made a pytree, a generic function gets another case."""

import collections
import fractions

import jax
import numpy as np

jax.tree_util.register_pytree_node(fractions.Fraction, lambda x: ((), x), lambda aux, children: aux)
jax.tree_util.register_pytree_node(np.ndarray, lambda x: ((), x.shape), lambda aux, children: np.zeros(aux))
jax.tree_util.register_pytree_node(np.float32, lambda x: ((), 1), lambda aux, children: 1)
