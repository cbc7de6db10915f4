"""state: update_wrapper sets attributes of what it is given first."""

import functools
import types

import jax.numpy as jnp

made = types.SimpleNamespace(ones=jnp.zeros, pwned=1)
functools.update_wrapper(jnp, made, assigned=("ones", "pwned"), updated=())
