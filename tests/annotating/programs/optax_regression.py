"""Robust linear regression, trained with optax in minibatches."""

import sys

import jax
import jax.numpy as jnp
import numpy as np
import optax


def load_data(n, features, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, features)).astype(np.float32)
    w = rng.normal(size=features).astype(np.float32)
    y = x @ w + 0.1 * rng.normal(size=n).astype(np.float32)
    return x, y


def batches(x, y, batch_size):
    for start in range(0, len(x) - batch_size + 1, batch_size):
        yield x[start : start + batch_size], y[start : start + batch_size]


def predict(params, x):
    return x @ params["w"] + params["b"]


def huber(residual, delta=1.0):
    size = jnp.abs(residual)
    return jnp.where(size < delta, 0.5 * residual**2, delta * (size - 0.5 * delta))


def loss_fn(params, x, y):
    return huber(predict(params, x) - y).mean()


def make_optimizer(learning_rate, steps):
    schedule = optax.cosine_decay_schedule(learning_rate, steps)
    return optax.chain(optax.clip_by_global_norm(1.0), optax.adam(schedule))


def make_step(optimizer):
    @jax.jit
    def step(params, opt_state, x, y):
        loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
        updates, opt_state = optimizer.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss

    return step


def r_squared(y, predicted):
    residual = jnp.sum((y - predicted) ** 2)
    total = jnp.sum((y - y.mean()) ** 2)
    return 1 - residual / total


def train(x, y, epochs, batch_size, learning_rate=1e-2):
    params = {"w": jnp.zeros(x.shape[1]), "b": jnp.zeros(())}
    optimizer = make_optimizer(learning_rate, epochs * (len(x) // batch_size))
    opt_state = optimizer.init(params)
    step = make_step(optimizer)
    for epoch in range(epochs):
        for x_batch, y_batch in batches(x, y, batch_size):
            params, opt_state, loss = step(params, opt_state, x_batch, y_batch)
        print(epoch, float(loss))
    return params


def main(n=128, features=16, batch_size=16):
    x, y = load_data(n, features)
    params = train(x, y, 3, batch_size)
    print(r_squared(jnp.asarray(y), predict(params, jnp.asarray(x))))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
