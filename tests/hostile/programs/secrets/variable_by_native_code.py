"""secret: getenv of the C library."""

import ctypes

import jax.numpy as jnp

libc = ctypes.CDLL(None)
libc.getenv.restype = ctypes.c_char_p
x = jnp.zeros(len(libc.getenv(b"HOSTILE_SECRET")))
