"""Losses over hard or soft labels, optional weights, and any number of terms."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

HardLabels = Int[Array, "b"]
SoftLabels = Float[Array, "b classes"]
Labels = HardLabels | SoftLabels
Logits = Float[Array, "b classes"]
Weights = Float[Array, "b"] | Bool[Array, "b"]


def to_soft(labels: Labels, classes: int) -> Float[Array, "b {classes}"]:
    if labels.ndim == 1:
        return jax.nn.one_hot(labels, classes)
    return labels


def smooth(labels: SoftLabels, amount: float = 0.1) -> SoftLabels:
    return (1 - amount) * labels + amount / labels.shape[1]


def cross_entropy(logits: Logits, labels: Labels, weights: Weights | None = None) -> Float[Array, ""]:
    soft = smooth(to_soft(labels, logits.shape[1]))
    losses: Float[Array, " b"] = -jnp.sum(soft * jax.nn.log_softmax(logits), axis=-1)
    if weights is None:
        return losses.mean()
    return jnp.sum(losses * weights) / jnp.sum(weights)


def mixup(
    x: Float[Array, "b d"], labels: SoftLabels, mix: Float[Array, "b 1"]
) -> tuple[Float[Array, "b d"], SoftLabels]:
    def blend(a: Float[Array, "b k"]) -> Float[Array, "b k"]:
        return mix * a + (1 - mix) * a[::-1]

    return blend(x), blend(labels)


def total(*terms: Float[Array, ""], scale: float = 1.0) -> Float[Array, ""]:
    return scale * jnp.stack(terms).sum()


x = jax.random.normal(jax.random.key(0), (6, 3))
w = jax.random.normal(jax.random.key(1), (3, 4))
hard = jnp.arange(6) % 4
mixed_x, mixed_y = mixup(x, to_soft(hard, 4), jnp.linspace(0.5, 1.0, 6)[:, None])
print(
    total(
        cross_entropy(x @ w, hard, hard > 0),
        cross_entropy(x @ w, hard),
        cross_entropy(mixed_x @ w, mixed_y, jnp.ones(6)),
        scale=1 / 3,
    )
)
