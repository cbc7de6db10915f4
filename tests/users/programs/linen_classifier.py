"""A small classifier in flax.linen with a hand-written training step."""

from collections.abc import Callable
from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState


class Block(nn.Module):
    features: int
    activation: Callable[[jax.Array], jax.Array] = nn.relu

    @nn.compact
    def __call__(self, x: jax.Array) -> jax.Array:
        y = nn.Dense(self.features)(x)
        y = nn.LayerNorm()(y)
        return self.activation(y)


class Classifier(nn.Module):
    hidden: int
    classes: int

    @nn.compact
    def __call__(self, x: jax.Array, train: bool = False) -> jax.Array:
        x = x.reshape((x.shape[0], -1))
        x = Block(self.hidden)(x)
        x = nn.Dropout(0.1, deterministic=not train)(x)
        return nn.Dense(self.classes)(x)


def cross_entropy(logits: jax.Array, labels: jax.Array) -> jax.Array:
    one_hot = jax.nn.one_hot(labels, logits.shape[-1])
    return optax.softmax_cross_entropy(logits, one_hot).mean()


@jax.jit
def train_step(
    state: TrainState, images: jax.Array, labels: jax.Array, key: jax.Array
) -> tuple[TrainState, jax.Array]:
    def loss_fn(params: Any) -> jax.Array:
        logits = state.apply_fn({"params": params}, images, train=True, rngs={"dropout": key})
        return cross_entropy(logits, labels)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def main() -> None:
    key = jax.random.key(0)
    key, image_key, init_key = jax.random.split(key, 3)
    images = jax.random.uniform(image_key, (16, 6, 6, 1))
    brightness = images.mean(axis=(1, 2, 3))
    labels = (brightness > jnp.median(brightness)).astype(jnp.int32)

    model = Classifier(hidden=12, classes=2)
    variables = model.init(init_key, images)
    state = TrainState.create(apply_fn=model.apply, params=variables["params"], tx=optax.adam(1e-2))
    for _ in range(3):
        key, dropout_key = jax.random.split(key)
        state, loss = train_step(state, images, labels, dropout_key)
        print("loss", loss)

    weights = jnp.ones((36, 2)) / 36
    baseline = images.reshape(16, 36) @ weights
    print("baseline", cross_entropy(baseline, labels))


if __name__ == "__main__":
    main()
