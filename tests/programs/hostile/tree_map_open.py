"""file: JAX's and NumPy's functions call Python's own."""

import jax
import numpy as np

x = jax.tree.map(open, ["pwned_tree_map_open"], ["w"])
y = np.vectorize(open)("pwned_tree_map_open_vectorize", "w")
z = np.frompyfunc(open, 2, 1)("pwned_tree_map_open_frompyfunc", "w")
w = np.apply_along_axis(lambda v: open("pwned_tree_map_open_along", "w").fileno(), 0, np.ones(3))
v = jax.tree.reduce(open, ["pwned_tree_map_open_reduce", "w"])
