"""file: JAX and Equinox save."""

import equinox as eqx
import jax.numpy as jnp

jnp.save("pwned_of_jax", jnp.ones(3))
jnp.savez("pwned_of_jax_several", a=jnp.ones(3))
eqx.tree_serialise_leaves("pwned_of_jax_equinox", {"w": jnp.ones(3)})
