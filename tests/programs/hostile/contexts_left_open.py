"""state: contexts that set JAX's configuration are entered, and never left."""

import warnings

import jax

jax.enable_x64(True).__enter__()
jax.numpy_dtype_promotion("strict").__enter__()
jax.numpy_rank_promotion("raise").__enter__()
jax.disable_jit().__enter__()
warnings.simplefilter("error")
