"""memory: NumPy and JAX make arrays of a petabyte, and of ones that are really held."""

import numpy as np

x = np.zeros(1 << 50, np.uint8)
y = [np.ones(1 << 27) for _ in range(64)]
