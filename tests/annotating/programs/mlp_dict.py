"""Classify two spirals with a small network whose parameters are a dict."""

import sys

import jax
import jax.numpy as jnp


def make_spirals(key, n, noise):
    key_r, key_e = jax.random.split(key)
    radius = jnp.sqrt(jax.random.uniform(key_r, (n,)))
    label = jnp.arange(n) % 2
    angle = 4.0 * radius + jnp.pi * label
    points = jnp.stack([radius * jnp.cos(angle), radius * jnp.sin(angle)], axis=1)
    return points + noise * jax.random.normal(key_e, points.shape), label


def init_params(key, hidden):
    k1, k2, k3 = jax.random.split(key, 3)
    return {
        "w1": jax.random.normal(k1, (2, hidden)),
        "b1": jnp.zeros(hidden),
        "w2": jax.random.normal(k2, (hidden, hidden)) / jnp.sqrt(hidden),
        "b2": jnp.zeros(hidden),
        "w3": jax.random.normal(k3, (hidden, 2)) / jnp.sqrt(hidden),
        "b3": jnp.zeros(2),
    }


def relu(x):
    return jnp.maximum(x, 0)


def forward(params, x):
    h = relu(x @ params["w1"] + params["b1"])
    h = relu(h @ params["w2"] + params["b2"])
    return h @ params["w3"] + params["b3"]


def cross_entropy(logits, labels):
    log_probs = jax.nn.log_softmax(logits)
    return -jnp.take_along_axis(log_probs, labels[:, None], axis=1).mean()


def loss_fn(params, x, y):
    return cross_entropy(forward(params, x), y)


@jax.jit
def update(params, x, y, lr=0.1):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    params = jax.tree.map(lambda p, g: p - lr * g, params, grads)
    return params, loss


def accuracy(params, x, y):
    predicted = jnp.argmax(forward(params, x), axis=-1)
    return jnp.mean(predicted == y)


def main(n=64, hidden=64, steps=20):
    key = jax.random.PRNGKey(0)
    data_key, init_key = jax.random.split(key)
    x, y = make_spirals(data_key, n, 0.02)
    params = init_params(init_key, hidden)
    for step in range(steps):
        params, loss = update(params, x, y)
        if step % 10 == 0:
            print(step, float(loss))
    print("accuracy", accuracy(params, x, y))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
