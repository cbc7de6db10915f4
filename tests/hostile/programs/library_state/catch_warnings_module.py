"""state: catch_warnings writes into the object that it is told is the module of warnings."""

import types
import warnings

import jax.numpy as jnp

warnings.showwarning = lambda *args: None
warnings.pwned = 1
with warnings.catch_warnings(record=True, module=types.SimpleNamespace(filters=[], pwned=1)):
    pass
