"""Contrastive learning with a queue of negatives and a slowly moving encoder."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PyTree


class Encoder(eqx.Module):
    w_in: Float[Array, "d h"]
    w_out: Float[Array, "h e"]

    def __call__(self, x: Float[Array, "n d"]) -> Float[Array, "n e"]:
        z = jax.nn.relu(x @ self.w_in) @ self.w_out
        return z / (jnp.linalg.norm(z, axis=-1, keepdims=True) + 1e-6)


def ema(slow: PyTree[Float[Array, "..."]], fast: PyTree[Float[Array, "..."]], decay: float) -> PyTree:
    return jax.tree.map(lambda s, f: decay * s + (1 - decay) * f, slow, fast)


def logits(
    query: Float[Array, "b e"], key: Float[Array, "b e"], queue: Float[Array, "k e"]
) -> Float[Array, "b 1+k"]:
    positive = jnp.sum(query * key, axis=-1, keepdims=True)
    negative = query @ queue.T
    return jnp.concatenate([positive, negative], axis=1) / 0.1


def enqueue(queue: Float[Array, "k e"], new: Float[Array, "b e"]) -> Float[Array, "k e"]:
    return jnp.concatenate([queue[new.shape[0] :], new])


@eqx.filter_value_and_grad
def info_nce(
    encoder: Encoder, x: Float[Array, "b d"], key: Float[Array, "b e"], queue: Float[Array, "k e"]
) -> Float[Array, ""]:
    return -jax.nn.log_softmax(logits(encoder(x), key, queue))[:, 0].mean()


in_key, out_key, data_key, queue_key = jax.random.split(jax.random.key(0), 4)
fast = Encoder(jax.random.normal(in_key, (6, 8)), jax.random.normal(out_key, (8, 3)))
slow = fast
queue = jax.random.normal(queue_key, (9, 3))
for x in jax.random.normal(data_key, (3, 4, 6)):
    key = slow(x + 0.01)
    loss, grads = info_nce(fast, x, key, queue)
    fast = eqx.apply_updates(fast, jax.tree.map(lambda g: -0.1 * g, grads))
    slow = ema(slow, fast, 0.9)
    queue = enqueue(queue, key)
print(loss, queue.shape)
