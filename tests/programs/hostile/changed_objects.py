"""state: lists, dicts and caches of libraries are changed in place."""

import sys

import jax
import jax.numpy as jnp
import numpy as np

jnp.__all__.clear() if hasattr(jnp, "__all__") else None
np.sctypeDict.clear()
sys.modules["jax.numpy"] = None
sys.modules.pop("numpy")
sys.path.clear()
sys.meta_path.clear()
jax.clear_caches()
