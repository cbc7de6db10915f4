"""An Elman network over sequences: a registered dataclass of parameters, lax.scan over time."""

from dataclasses import dataclass
from typing import TypeVar

import jax
import jax.numpy as jnp
from jax import lax

from jaxtyping_core.typing import Float32

T = TypeVar("T", bound=int)
B = TypeVar("B", bound=int)
I = TypeVar("I", bound=int)
H = TypeVar("H", bound=int)


@jax.tree_util.register_dataclass
@dataclass
class Params:
    w_in: jax.Array
    w_rec: jax.Array
    bias: jax.Array
    w_out: jax.Array


def init(key: jax.Array, n_in: int, n_hidden: int) -> Params:
    k1, k2, k3 = jax.random.split(key, 3)
    return Params(
        w_in=jax.random.normal(k1, (n_in, n_hidden)) / n_in,
        w_rec=jnp.eye(n_hidden) + 0.01 * jax.random.normal(k2, (n_hidden, n_hidden)),
        bias=jnp.zeros((n_hidden,)),
        w_out=jax.random.normal(k3, (n_hidden, 1)) / n_hidden,
    )


def cell(h: Float32[B, H], x: Float32[B, I], w_in: Float32[I, H], w_rec: Float32[H, H]) -> Float32[B, H]:
    pre = x @ w_in + h @ w_rec
    return jnp.tanh(pre)


def unroll(params: Params, xs: Float32[T, B, I]) -> jax.Array:
    h0 = jnp.zeros((xs.shape[1], params.bias.shape[0]))

    def body(h: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
        h = cell(h, x, params.w_in, params.w_rec) + params.bias
        return h, h @ params.w_out

    last, ys = lax.scan(body, h0, xs)
    return ys


@jax.jit
def loss(params: Params, xs: jax.Array, ys: jax.Array) -> jax.Array:
    predicted = unroll(params, xs)
    return jnp.mean(jnp.square(predicted - ys))


key = jax.random.key(0)
params = init(key, 2, 12)
sequence = jax.random.normal(jax.random.key(5), (10, 4, 2))
target = jnp.cumsum(sequence, axis=0).sum(axis=-1, keepdims=True)
for _ in range(3):
    grads = jax.grad(loss)(params, sequence, target)
    params = jax.tree.map(lambda p, g: p - 0.01 * g, params, grads)
first = cell(jnp.zeros((4, 12)), sequence[0], params.w_in, params.w_rec)
energy = jnp.linalg.norm(first, axis=1)
print("loss", loss(params, sequence, target), "energy", energy)
