"""secret: the C library reads it."""

import ctypes

import jax.numpy as jnp

libc = ctypes.CDLL(None)
held = ctypes.create_string_buffer(50_000)
file = libc.open(b"SECRET_FILE", 0)
n = libc.read(file, held, 50_000)
x = jnp.zeros(max(n, 0))
