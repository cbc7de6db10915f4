"""state: options of JAX for all that follows."""

import jax

jax.config.update("jax_enable_x64", not jax.config.jax_enable_x64)
jax.config.update("jax_numpy_rank_promotion", "raise")
x = jax.numpy_rank_promotion("raise").__enter__()
