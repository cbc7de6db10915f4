"""A long short-term memory with its state in a named tuple; its hidden states are read out."""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float


class LSTMState(NamedTuple):
    hidden: Float[Array, "b h"]
    cell: Float[Array, "b h"]


class LSTMParams(NamedTuple):
    w: Float[Array, "n_in+h 4*h"]
    bias: Float[Array, " 4*h"]
    readout: Float[Array, "h out"]


def gates(
    x: Float[Array, "b n_in"], hidden: Float[Array, "b h"], w: Float[Array, "n_in+h 4*h"]
) -> Float[Array, "b 4*h"]:
    return jnp.concatenate([x, hidden], axis=-1) @ w


def step(params: LSTMParams, state: LSTMState, x: Float[Array, "b n_in"]) -> LSTMState:
    mixed = gates(x, state.hidden, params.w) + params.bias
    i, f, g, o = jnp.split(mixed, 4, axis=-1)
    cell = jax.nn.sigmoid(f + 1.0) * state.cell + jax.nn.sigmoid(i) * jnp.tanh(g)
    return LSTMState(jax.nn.sigmoid(o) * jnp.tanh(cell), cell)


def decode(params: LSTMParams, xs: Float[Array, "b t n_in"]) -> Float[Array, "b t out"]:
    h = params.readout.shape[0]
    start = LSTMState(jnp.zeros((xs.shape[0], h)), jnp.zeros((xs.shape[0], h)))

    def body(state: LSTMState, x: Float[Array, "b n_in"]) -> tuple[LSTMState, Float[Array, "b out"]]:
        state = step(params, state, x)
        return state, state.hidden @ params.readout

    _, ys = jax.lax.scan(body, start, jnp.swapaxes(xs, 0, 1))
    return jnp.swapaxes(ys, 0, 1)


keys = jax.random.split(jax.random.key(0), 3)
params = LSTMParams(
    0.2 * jax.random.normal(keys[0], (3 + 6, 4 * 6)), jnp.zeros(24), jax.random.normal(keys[1], (6, 2))
)
xs = jax.random.normal(keys[2], (5, 7, 3))
print(jax.jit(decode)(params, xs).std(axis=(0, 1)))
