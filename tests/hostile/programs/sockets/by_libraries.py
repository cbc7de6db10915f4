"""connection: NumPy fetches a file, and JAX joins others."""

import numpy as np

np.lib._datasource.DataSource("pwned_cache").exists("http://127.0.0.1:49151/x.npy")
