"""state: catch_warnings writes into the object that it is told is the module of warnings."""

import warnings

import jax.numpy as jnp

with warnings.catch_warnings(record=True, module=jnp):
    pass
jnp.filters = ["pwned"]
warnings.showwarning = lambda *args: None
