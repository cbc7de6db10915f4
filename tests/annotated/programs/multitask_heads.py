"""A shared trunk with a head for each task, parameters and outputs in dictionaries."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

Heads = dict[str, tuple[Float[Array, "h _"], Float[Array, "_"]]]


def init_heads(key: PRNGKeyArray, h: int, sizes: dict[str, int]) -> Heads:
    keys = jax.random.split(key, len(sizes))
    return {
        name: (0.1 * jax.random.normal(k, (h, size)), jnp.zeros(size))
        for k, (name, size) in zip(keys, sizes.items(), strict=True)
    }


def trunk(w: Float[Array, "d h"], x: Float[Array, "b d"]) -> Float[Array, "b h"]:
    return jax.nn.swish(x @ w)


def apply_head(
    head: tuple[Float[Array, "h k"], Float[Array, "k"]], features: Float[Array, "b h"]
) -> Float[Array, "b k"]:
    w, bias = head
    return features @ w + bias


def forward(w: Float[Array, "d h"], heads: Heads, x: Float[Array, "b d"]) -> dict[str, Float[Array, "b _"]]:
    features = trunk(w, x)
    return {name: apply_head(head, features) for name, head in heads.items()}


def losses(
    outputs: dict[str, Float[Array, "b _"]], labels: dict[str, Int[Array, "b"]]
) -> dict[str, Float[Array, "b"]]:
    def nll(logits: Float[Array, "b k"], target: Int[Array, "b"]) -> Float[Array, "b"]:
        log_probs = jax.nn.log_softmax(logits, axis=-1)
        return -jnp.take_along_axis(log_probs, target[:, None], axis=-1)[:, 0]

    return {name: nll(outputs[name], labels[name]) for name in outputs}


def uncertainty_weighted(
    per_task: dict[str, Float[Array, "b"]], log_vars: dict[str, Float[Array, ""]]
) -> Float[Array, ""]:
    terms = [jnp.exp(-log_vars[name]) * loss.mean() + log_vars[name] for name, loss in per_task.items()]
    return jnp.stack(terms).sum()


heads = init_heads(jax.random.PRNGKey(0), 6, {"kind": 3, "color": 4})
w = jax.random.normal(jax.random.PRNGKey(1), (5, 6))
x = jax.random.normal(jax.random.PRNGKey(2), (8, 5))
labels = {"kind": jnp.arange(8) % 3, "color": jnp.arange(8) % 4}
per_task = losses(forward(w, heads, x), labels)
print(uncertainty_weighted(per_task, {"kind": jnp.array(0.0), "color": jnp.array(0.3)}))
