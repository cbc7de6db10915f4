"""file: the compilation cache is put into a folder."""

import jax
import jax.numpy as jnp

jax.config.update("jax_compilation_cache_dir", "pwned_compilation_cache")
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
jax.config.update("jax_dump_ir_to", "pwned_compilation_cache_ir")
y = jax.jit(lambda x: x @ x.T + 1)(jnp.ones((3, 3)))
