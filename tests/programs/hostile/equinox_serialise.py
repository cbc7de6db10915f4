"""file: equinox writes the leaves of a tree."""

import equinox as eqx
import jax
import jax.numpy as jnp

eqx.tree_serialise_leaves("pwned_equinox_serialise", {"w": jnp.ones(3)})
x = eqx.internal.__dict__ if hasattr(eqx.internal, "__dict__") else None
