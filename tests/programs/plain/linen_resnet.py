"""A residual network in flax.linen: compact, setup, batch statistics, dropout rngs, a TrainState."""

from functools import partial
from typing import Any, Sequence

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training import train_state


class ResidualBlock(nn.Module):
    filters: int
    strides: tuple[int, int] = (1, 1)

    @nn.compact
    def __call__(self, x, train):
        norm = partial(nn.BatchNorm, use_running_average=not train, momentum=0.9)
        residual = x
        y = nn.Conv(self.filters, (3, 3), self.strides, use_bias=False)(x)
        y = nn.relu(norm()(y))
        y = nn.Conv(self.filters, (3, 3), use_bias=False)(y)
        y = norm(scale_init=nn.initializers.zeros)(y)
        if residual.shape != y.shape:
            residual = nn.Conv(self.filters, (1, 1), self.strides, name="projection")(residual)
        return nn.relu(residual + y)


class Head(nn.Module):
    classes: int
    rate: float = 0.1

    def setup(self):
        self.dropout = nn.Dropout(self.rate)
        self.dense = nn.Dense(self.classes)
        self.scale = self.param("scale", nn.initializers.ones, (self.classes,))

    def __call__(self, x, train):
        x = self.dropout(x, deterministic=not train)
        return self.dense(x) * self.scale


class ResNet(nn.Module):
    stages: Sequence[int]
    classes: int = 5

    @nn.compact
    def __call__(self, x, train: bool = True):
        x = nn.Conv(8, (3, 3), name="stem")(x)
        for i, filters in enumerate(self.stages):
            strides = (2, 2) if i > 0 else (1, 1)
            x = ResidualBlock(filters, strides)(x, train)
        x = x.mean(axis=(1, 2))
        return Head(self.classes)(x, train)


class TrainState(train_state.TrainState):
    batch_stats: Any


def create_state(key, shape):
    model = ResNet(stages=[8, 16])
    variables = model.init(key, jnp.ones(shape), train=False)
    return TrainState.create(
        apply_fn=model.apply,
        params=variables["params"],
        batch_stats=variables["batch_stats"],
        tx=optax.sgd(0.05, momentum=0.9),
    )


@jax.jit
def train_step(state, batch, key):
    def loss_fn(params):
        logits, updates = state.apply_fn(
            {"params": params, "batch_stats": state.batch_stats},
            batch["image"],
            train=True,
            mutable=["batch_stats"],
            rngs={"dropout": key},
        )
        one_hot = jax.nn.one_hot(batch["label"], logits.shape[-1])
        loss = optax.softmax_cross_entropy(logits, one_hot).mean()
        return loss, (updates, logits)

    (loss, (updates, logits)), grads = jax.value_and_grad(loss_fn, has_aux=True)(state.params)
    state = state.apply_gradients(grads=grads, batch_stats=updates["batch_stats"])
    accuracy = (logits.argmax(-1) == batch["label"]).mean()
    return state, {"loss": loss, "accuracy": accuracy}


def train():
    rng = np.random.RandomState(0)
    data = {
        "image": rng.rand(16, 8, 8, 3).astype(np.float32),
        "label": rng.randint(0, 5, size=16),
    }
    key = jax.random.PRNGKey(0)
    state = create_state(key, (1, 8, 8, 3))
    metrics = []
    for epoch in range(2):
        for i in range(0, 16, 8):
            key, sub = jax.random.split(key)
            batch = {k: v[i : i + 8] for k, v in data.items()}
            state, m = train_step(state, batch, sub)
            metrics.append(m)
    summary = {k: np.mean([float(m[k]) for m in metrics]) for k in metrics[0]}
    logits = state.apply_fn(
        {"params": state.params, "batch_stats": state.batch_stats}, data["image"], train=False
    )
    return state, summary, logits


state, summary, logits = train()
kernel = state.params["stem"]["kernel"]
print(summary, logits.shape, kernel.shape, int(state.step))
