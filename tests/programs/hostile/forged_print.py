"""output: jax.debug.print and print with an array say something on the standard output."""

import jax
import jax.numpy as jnp

jax.debug.print("forged {}", jnp.ones(3))
print("forged", jnp.ones(3), flush=True)
jax.effects_barrier()
