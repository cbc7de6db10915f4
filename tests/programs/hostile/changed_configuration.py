"""state: JAX and NumPy are configured otherwise, for every program that is evaluated later."""

import jax
import numpy as np

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_numpy_dtype_promotion", "strict")
jax.config.update("jax_disable_jit", True)
jax.config.update("jax_default_prng_impl", "rbg")
np.seterr(all="raise")
jax.numpy.set_printoptions(precision=1)
