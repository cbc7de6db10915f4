"""memory: NumPy computes at once, whatever the size."""

import numpy as np

x = np.ones((10**6, 10**5))
y = np.full((10**11,), 1.0)
z = np.arange(10**11)
w = np.random.normal(size=(10**6, 10**5))
v = np.broadcast_to(np.ones(1), (10**11,)).copy()
