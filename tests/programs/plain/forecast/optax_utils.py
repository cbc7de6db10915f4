"""Helpers with the name of a library in theirs; no library is used."""

import jax
import jax.numpy as jnp


def count(tree):
    return sum(leaf.size for leaf in jax.tree.leaves(tree))


def momentum(rate, decay=0.9):
    def init(params):
        return jax.tree.map(jnp.zeros_like, params)

    def update(grads, state, params):
        state = jax.tree.map(lambda m, g: decay * m + g, state, grads)
        return jax.tree.map(lambda p, m: p - rate * m, params, state), state

    return init, update


def apply_updates(params, updates, *, clip=None):
    if clip is not None:
        updates = jax.tree.map(lambda u: jnp.clip(u, -clip, clip), updates)
    return jax.tree.map(jnp.add, params, updates)
