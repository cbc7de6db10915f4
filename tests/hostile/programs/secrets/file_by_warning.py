"""secret: a warning shows the line that it says it comes from, where somebody catches it."""

import linecache
import warnings

import jax.numpy as jnp

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    warnings.warn_explicit("w", UserWarning, "SECRET_FILE", 1, module_globals={})
text = warnings.formatwarning("w", UserWarning, "SECRET_FILE", 1)
n = jnp.ones(len(text.splitlines()[1].strip()))
