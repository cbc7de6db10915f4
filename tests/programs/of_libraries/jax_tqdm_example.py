"""Loops of JAX with progress bars."""

import jax
import jax.numpy as jnp
from jax_tqdm import loop_tqdm, scan_tqdm


@scan_tqdm(10)
def step(carry, i):
    moved = carry + i
    return moved, moved * 2


last, rows = jax.lax.scan(step, jnp.zeros(3), jnp.arange(10))


@loop_tqdm(5, message="loop")
def body(i, value):
    return value * 2.0


end = jax.lax.fori_loop(0, 5, body, jnp.ones((2, 2)))
