"""secret: modules that libraries have imported show the environment."""

import jax
import jax.numpy as jnp

environ = jax._src.config.os.environ
x = jnp.zeros(len(environ["HOSTILE_SECRET"]))
y = jnp.zeros(len(jax.version.os.environ["HOSTILE_SECRET"]))
