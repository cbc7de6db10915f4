"""A two-layer network on two moons, parameters in a dict, plain gradient descent."""

import jax
import jax.numpy as jnp
import numpy as np

SIZES = [2, 32, 32, 1]
LEARNING_RATE = 0.3
EPOCHS = 60


def make_moons(n, noise=0.1, seed=0):
    rng = np.random.RandomState(seed)
    t = rng.uniform(0, np.pi, n // 2)
    outer = np.stack([np.cos(t), np.sin(t)], axis=1)
    inner = np.stack([1 - np.cos(t), 0.5 - np.sin(t)], axis=1)
    X = np.concatenate([outer, inner])
    X += noise * rng.randn(*X.shape)
    y = np.concatenate([np.zeros(n // 2), np.ones(n // 2)])
    order = rng.permutation(n)
    return X[order].astype(np.float32), y[order].astype(np.float32)


def init_params(key, sizes):
    params = {}
    for i, (fan_in, fan_out) in enumerate(zip(sizes[:-1], sizes[1:])):
        key, subkey = jax.random.split(key)
        params[f"w{i}"] = jax.random.normal(subkey, (fan_in, fan_out)) * jnp.sqrt(2.0 / fan_in)
        params[f"b{i}"] = jnp.zeros(fan_out)
    return params


def forward(params, x):
    depth = len(params) // 2
    h = x
    for i in range(depth - 1):
        h = jnp.tanh(h @ params[f"w{i}"] + params[f"b{i}"])
    out = h @ params[f"w{depth - 1}"] + params[f"b{depth - 1}"]
    return out[:, 0]


def loss_fn(params, x, y):
    logits = forward(params, x)
    losses = jnp.maximum(logits, 0) - logits * y + jnp.log1p(jnp.exp(-jnp.abs(logits)))
    l2 = sum(jnp.sum(p**2) for name, p in params.items() if name.startswith("w"))
    return losses.mean() + 1e-4 * l2


@jax.jit
def step(params, x, y):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    params = {name: p - LEARNING_RATE * grads[name] for name, p in params.items()}
    return params, loss


def accuracy(params, x, y):
    predicted = forward(params, x) > 0
    correct = predicted == (y > 0.5)
    return correct.mean()


if __name__ == "__main__":
    X, y = make_moons(256)
    X_train, X_test = X[:200], X[200:]
    y_train, y_test = y[:200], y[200:]
    params = init_params(jax.random.PRNGKey(0), SIZES)
    history = []
    for epoch in range(EPOCHS):
        params, loss = step(params, X_train, y_train)
        history.append(float(loss))
        if epoch % 20 == 0:
            print(f"epoch {epoch:3d}  loss {loss:.4f}")
    test_accuracy = accuracy(params, X_test, y_test)
    losses = jnp.array(history)
    best = losses.min()
    print("test accuracy", test_accuracy, "best loss", best)
    assert losses[-1] < losses[0]
