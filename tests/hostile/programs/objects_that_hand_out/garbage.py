"""secret: the garbage collector knows the environment."""

import gc

import jax.numpy as jnp

gc.unfreeze()
found = [each for each in gc.get_objects() if type(each).__name__ == "_Environ"]
x = jnp.zeros(len(found[0]["HOSTILE_SECRET"]))
