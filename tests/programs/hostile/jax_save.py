"""file: jax.numpy.save and savez."""

import jax.numpy as jnp

jnp.save("pwned_jax_save", jnp.ones(3))
jnp.savez("pwned_jax_save_z", x=jnp.ones(3))
