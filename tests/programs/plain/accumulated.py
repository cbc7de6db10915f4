"""Numbers that become arrays: totals of loops, and the step of Flax's training state."""

import random

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training import train_state


def count():
    return random.randint(2, 4)


def totals(n):
    total, low, hits, largest = 0.0, 0, 0, -1
    for i in range(n):
        x = jnp.arange(4) * (i + 1)
        total += jnp.sin(x).mean()
        low = low + jnp.bfloat16(i)
        hits += (x > 2).sum()
        largest = jnp.maximum(largest, x.max())
    scaled = total * jnp.ones(3)
    raised = low * jnp.ones(3, "bfloat16")
    mixed = low + jnp.ones(2, "float16")
    rate = hits + jnp.zeros(2)
    ratio = jnp.asarray(hits / 2)
    first = jnp.eye(3)[jnp.minimum(largest, 2)]
    return scaled, raised, mixed, rate, ratio, first


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        hidden = nn.relu(nn.Dense(8)(x))
        return nn.Dense(1)(hidden)[:, 0]


@jax.jit
def train_step(state, x, y):
    def loss_fn(params):
        predicted = state.apply_fn({"params": params}, x)
        return jnp.square(predicted - y).mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def train(epochs):
    model = Net()
    x = jax.random.normal(jax.random.key(0), (6, 3))
    params = model.init(jax.random.key(1), x)["params"]
    state = train_state.TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(1e-2))
    for _ in range(epochs):
        running = 0.0
        for _ in range(count()):
            state, loss = train_step(state, x, x.sum(-1))
            running += loss
        mean = running / 2
    kernel = state.params["Dense_0"]["kernel"]
    step = jnp.asarray(state.step)
    return kernel, step, mean


print(totals(count()), train(3))
