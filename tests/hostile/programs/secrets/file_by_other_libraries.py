"""secret: libraries that others depend on read files."""

import jax.numpy as jnp
from etils import epath

text = epath.Path("SECRET_FILE").read_text()
x = jnp.ones(len(text))
