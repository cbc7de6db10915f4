"""file: arrays in files."""

import numpy as np

x = np.memmap("pwned_numpy_memmap", np.float32, "w+", shape=(3,))
y = np.lib.format.open_memmap("pwned_numpy_memmap_format", "w+", np.float32, (3,))
