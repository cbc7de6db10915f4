"""memory: arrays that are small each, and kept."""

import numpy as np

kept = []
for _ in range(10**6):
    kept.append(np.ones(10**6))
