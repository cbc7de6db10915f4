"""file: the compilation cache by its own function."""

import jax
import jax.numpy as jnp
from jax.experimental.compilation_cache import compilation_cache

compilation_cache.set_cache_dir("pwned_cache_directory")
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
y = jax.jit(lambda x: x @ x.T + 2)(jnp.ones((3, 3)))
