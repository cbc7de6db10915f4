"""A convolutional classifier with compact methods and a training step in optax."""

from functools import partial

import jax
import jax.numpy as jnp
import optax
from flax import linen as nn
from flax.training.train_state import TrainState
from jaxtyping import Array, Float, Int

Images = Float[Array, "b h w c"]
Logits = Float[Array, "b classes"]


class ConvBlock(nn.Module):
    features: int

    @nn.compact
    def __call__(self, x: Images) -> Float[Array, "b h//2 w//2 {self.features}"]:
        x = nn.Conv(self.features, kernel_size=(3, 3))(x)
        return nn.avg_pool(nn.relu(x), window_shape=(2, 2), strides=(2, 2))


class Classifier(nn.Module):
    num_classes: int

    @nn.compact
    def __call__(self, images: Images) -> Float[Array, "b {self.num_classes}"]:
        x = ConvBlock(features=5)(images)
        x = ConvBlock(features=3)(x)
        x = x.reshape((x.shape[0], -1))
        return nn.Dense(self.num_classes)(x)


def cross_entropy(logits: Logits, labels: Int[Array, "b"]) -> Float[Array, "b"]:
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels)


@partial(jax.jit, donate_argnums=0)
def train_step(
    state: TrainState, images: Images, labels: Int[Array, "b"]
) -> tuple[TrainState, Float[Array, ""]]:
    def loss_fn(params: dict) -> Float[Array, ""]:
        logits = state.apply_fn({"params": params}, images)
        return cross_entropy(logits, labels).mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


images = jax.random.normal(jax.random.key(0), (2, 8, 12, 1))
labels = jnp.array([3, 6])
model = Classifier(num_classes=7)
params = jax.jit(model.init)(jax.random.key(1), images)["params"]
state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.sgd(0.1))
for _ in range(2):
    state, loss = train_step(state, images, labels)
print(loss)
