"""time: the best order of a long product is looked for."""

import jax.numpy as jnp

LETTERS = "abcdefghijklmnopqrstuvwxyz"
parts = [a + b for a, b in zip(LETTERS, LETTERS[1:])]
x = jnp.einsum(",".join(parts) + "->az", *[jnp.ones((2, 2))] * 25, optimize="optimal")
