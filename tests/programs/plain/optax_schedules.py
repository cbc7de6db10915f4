"""Regression with optax: a chain with schedules and clipping, masked weight decay, generators of batches."""

import itertools
from typing import Iterator

import jax
import jax.numpy as jnp
import numpy as np
import optax


def synthetic(n: int = 128):
    generator = np.random.default_rng(seed=11)
    inputs = generator.standard_normal((n, 5))
    weights = np.array([1.5, -2.0, 0.0, 0.5, 3.0])
    targets = inputs @ weights + 0.1 * generator.standard_normal(n)
    return {"inputs": inputs, "targets": targets}


def epochs(data, batch_size, *, shuffle=True) -> Iterator[dict]:
    n = len(data["inputs"])
    indices = np.arange(n)
    while True:
        if shuffle:
            np.random.shuffle(indices)
        for start in range(0, n - batch_size + 1, batch_size):
            chosen = indices[start : start + batch_size]
            yield {key: value[chosen] for key, value in data.items()}


def prefetch(iterator, to=jnp.asarray):
    for item in iterator:
        yield jax.tree.map(to, item)


def init_params(key):
    keys = jax.random.split(key)
    return {
        "hidden": {"kernel": jax.random.normal(keys[0], (5, 16)) / 5**0.5, "bias": jnp.zeros(16)},
        "out": {"kernel": jax.random.normal(keys[1], (16, 1)) / 4, "bias": jnp.zeros(1)},
    }


def model(params, inputs):
    h = inputs @ params["hidden"]["kernel"] + params["hidden"]["bias"]
    h = jax.nn.silu(h)
    return jnp.squeeze(h @ params["out"]["kernel"] + params["out"]["bias"], axis=-1)


def loss_fn(params, batch):
    prediction = model(params, batch["inputs"])
    return optax.huber_loss(prediction, batch["targets"], delta=1.0).mean()


def is_kernel(params):
    return jax.tree_util.tree_map_with_path(lambda path, _: path[-1].key == "kernel", params)


schedule = optax.warmup_cosine_decay_schedule(0.0, 0.05, warmup_steps=5, decay_steps=40)
optimizer = optax.chain(
    optax.clip_by_global_norm(1.0),
    optax.add_decayed_weights(1e-4, mask=is_kernel),
    optax.scale_by_adam(),
    optax.scale_by_schedule(schedule),
    optax.scale(-1.0),
)


@jax.jit
def train_step(params, opt_state, batch):
    loss, grads = jax.value_and_grad(loss_fn)(params, batch)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    params = optax.apply_updates(params, updates)
    return params, opt_state, loss, optax.global_norm(grads)


np.random.seed(0)
data = synthetic()
stream = prefetch(epochs(data, 32))
params = init_params(jax.random.PRNGKey(0))
opt_state = optimizer.init(params)
running = []
for i, batch in enumerate(itertools.islice(stream, 40)):
    params, opt_state, loss, norm = train_step(params, opt_state, batch)
    running.append(loss.item())
    rate = schedule(i)
    if i and not i % 20:
        average = sum(running[-10:]) / 10
        print(f"step {i}: loss {average:.3f}, gradient {float(norm):.3f}, rate {float(rate):.4f}")
evaluation = loss_fn(params, data)
residuals = model(params, data["inputs"]) - data["targets"]
r2 = 1 - (residuals**2).sum() / ((data["targets"] - data["targets"].mean()) ** 2).sum()
print(evaluation, r2)
