"""file: JAX writes what it compiles into a folder that an option names."""

import jax
import jax.numpy as jnp

jax.config.update("jax_dump_ir_to", "pwned_dump_options")
jax.config.update("jax_dump_ir_modes", "stablehlo,jaxpr")
x = jax.jit(lambda x: x * 3 + 1)(jnp.ones(3))
