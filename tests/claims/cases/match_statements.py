"""Statements that match."""

# one python

import jax
import jax.numpy as jnp


def step(command, x):
    match command:
        case {"op": "add", **rest}:
            return x + len(rest)
        case [first, *_, jnp.float16 | 2]:
            return first
        case str():
            return x.T
    return None


# %% a dict
x = step({'op': 'add', 'by': 1}, jnp.ones((2, 3)))  # P: x: float32[2, 3]


# %% a sequence
x = step([jnp.ones(5), 7, 8, 2], jnp.ones((2, 3)))  # P: x: float32[5]


# %% a text
x = step('transpose', jnp.ones((2, 3)))  # P: x: float32[3, 2]


# %% nothing that fits
x = jnp.ones(1) if step(jnp.ones(2), 0) is None else 0  # P: x: float32[1]  # P(plugin): x: ?
