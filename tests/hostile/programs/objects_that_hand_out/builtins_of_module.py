"""file: each module has the builtins."""

import jax
import jax.numpy as jnp

f = jax.__builtins__["open"]
f("pwned_builtins_of_module", "w").close()
g = jnp.__dict__["__builtins__"]["__import__"]
g("os").mkdir("pwned_builtins_of_module_import")
