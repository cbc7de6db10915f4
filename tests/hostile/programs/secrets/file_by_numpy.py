"""secret: NumPy reads a file as numbers, as text, and as memory."""

import jax.numpy as jnp
import numpy as np

a = jnp.asarray(np.fromfile("SECRET_FILE", np.uint8))
b = np.memmap("SECRET_FILE", np.uint8, "r").shape
c = np.genfromtxt("SECRET_FILE", dtype=str)
d = jnp.zeros(np.loadtxt("SECRET_FILE", dtype=str, ndmin=1).item().__len__())
