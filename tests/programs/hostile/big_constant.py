"""memory: a large array that JAX would make for real outside of a trace."""

import jax
import jax.numpy as jnp
import numpy as np

x = jnp.ones((10**6, 10**6))
y = jax.random.normal(jax.random.key(0), (10**6, 10**6))
z = jax.nn.initializers.orthogonal()(jax.random.key(0), (10**5, 10**5))
