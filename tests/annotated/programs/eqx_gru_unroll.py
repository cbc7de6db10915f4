"""A gated recurrent unit unrolled with lax.scan, batched from the outside."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jax import lax
from jaxtyping import Array, Float, PRNGKeyArray


class GRUCell(eqx.Module):
    w_x: Float[Array, "3*hidden n_in"]
    w_h: Float[Array, "3*hidden hidden"]
    bias: Float[Array, "3*hidden"]

    def __init__(self, n_in: int, hidden: int, key: PRNGKeyArray):
        x_key, h_key = jax.random.split(key)
        self.w_x = jax.random.normal(x_key, (3 * hidden, n_in)) * 0.3
        self.w_h = jax.random.normal(h_key, (3 * hidden, hidden)) * 0.3
        self.bias = jnp.zeros(3 * hidden)

    def __call__(self, h: Float[Array, "hidden"], x: Float[Array, "n_in"]) -> Float[Array, "hidden"]:
        x_r, x_z, x_n = jnp.split(self.w_x @ x + self.bias, 3)
        h_r, h_z, h_n = jnp.split(self.w_h @ h, 3)
        reset = jax.nn.sigmoid(x_r + h_r)
        update = jax.nn.sigmoid(x_z + h_z)
        new = jnp.tanh(x_n + reset * h_n)
        return (1 - update) * new + update * h


def unroll(
    cell: GRUCell, h0: Float[Array, "hidden"], xs: Float[Array, "time n_in"]
) -> tuple[Float[Array, "time hidden"], Float[Array, "hidden"]]:
    def step(
        h: Float[Array, "hidden"], x: Float[Array, "n_in"]
    ) -> tuple[Float[Array, "hidden"], Float[Array, "hidden"]]:
        h = cell(h, x)
        return h, h

    last, states = lax.scan(step, h0, xs)
    return states, last


cell = GRUCell(3, 5, jax.random.PRNGKey(0))
batch = jax.random.normal(jax.random.PRNGKey(1), (2, 7, 3))
states, last = jax.vmap(unroll, in_axes=(None, None, 0))(cell, jnp.zeros(5), batch)
print(states.shape, jnp.abs(states[:, -1] - last).max())
