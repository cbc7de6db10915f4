"""A GRU cell and what reads a forecast from its state."""

import jax
import jax.numpy as jnp

from .optax_utils import count


class GRU:
    gates = 3

    def __init__(self, inputs, hidden):
        self.inputs = inputs
        self.hidden = hidden

    def init(self, key):
        k1, k2 = jax.random.split(key)
        return {
            "wi": jax.random.normal(k1, (self.inputs, self.gates * self.hidden)) * 0.3,
            "wh": jax.random.orthogonal(k2, self.hidden, shape=(self.gates,)),
            "b": jnp.zeros(self.gates * self.hidden),
        }

    def step(self, params, h, x):
        i_r, i_z, i_n = jnp.split(x @ params["wi"] + params["b"], self.gates, axis=-1)
        h_r, h_z, h_n = jnp.einsum("...h,ghk->g...k", h, params["wh"])
        r, z = jax.nn.sigmoid(i_r + h_r), jax.nn.sigmoid(i_z + h_z)
        n = jnp.tanh(i_n + r * h_n)
        return (1 - z) * n + z * h

    def __call__(self, params, xs):
        start = jnp.zeros((xs.shape[0], self.hidden))
        steps = jnp.moveaxis(xs, 1, 0)
        h, _ = jax.lax.scan(lambda h, x: (self.step(params, h, x), None), start, steps)
        return h


class Forecaster(GRU):
    def init(self, key):
        k_cell, k_out = jax.random.split(key)
        params = {"cell": super().init(k_cell), "out": jax.random.normal(k_out, (self.hidden,)) * 0.1}
        self.size = count(params)
        return params

    def __call__(self, params, xs):
        h = super().__call__(params["cell"], xs[..., None])
        return h @ params["out"]

    def rollout(self, params, xs, horizon):
        for _ in range(horizon):
            following = self(params, xs)
            xs = jnp.concatenate([xs[:, 1:], following[:, None]], axis=1)
        return xs[:, -horizon:]
