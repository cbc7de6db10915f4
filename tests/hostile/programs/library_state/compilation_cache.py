"""file: the cache of compiled programs is in a folder that an option names."""

import jax
import jax.numpy as jnp

jax.config.update("jax_compilation_cache_dir", "pwned_compilation_cache")
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
x = jax.jit(lambda x: x @ x + 2)(jnp.ones((4, 4))).block_until_ready()
