"""state: rules of JAX's own functions are replaced."""

import jax
import jax.numpy as jnp

jax.nn.relu.defjvp(lambda primals, tangents: (jnp.zeros((7, 7)), jnp.zeros((7, 7))))
