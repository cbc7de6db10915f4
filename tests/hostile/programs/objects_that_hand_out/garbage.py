"""secret: the garbage collector knows the dict of the environment."""

import gc

import jax.numpy as jnp

found = [each for each in gc.get_objects() if type(each) is dict and b"HOSTILE_SECRET" in each]
x = jnp.zeros(len(found[0][b"HOSTILE_SECRET"]))
