"""secret: it is mapped into memory, opened by another's file."""

import io
import mmap

import jax.numpy as jnp

with io.open_code("SECRET_FILE") as file:
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as held:
        x = jnp.zeros(len(held))
