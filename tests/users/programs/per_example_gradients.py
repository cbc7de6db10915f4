"""Differentially private training: a gradient for each example, clipped, summed, with noise."""

import jax
import jax.numpy as jnp

Params = tuple[jax.Array, jax.Array]


def predict(params: Params, x: jax.Array) -> jax.Array:
    w, b = params
    return jnp.dot(x, w) + b


def loss(params: Params, x: jax.Array, y: jax.Array) -> jax.Array:
    margin = predict(params, x) * y
    return jnp.log1p(jnp.exp(-margin))


def clip_one(grads: Params, limit: float) -> Params:
    squares = [jnp.sum(jnp.square(g)) for g in grads]
    norm = jnp.sqrt(squares[0] + squares[1])
    factor = jnp.minimum(1.0, limit / norm)
    w, b = grads
    return w * factor, b * factor


@jax.jit
def private_step(params: Params, xs: jax.Array, ys: jax.Array, key: jax.Array) -> Params:
    grads = jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))(params, xs, ys)
    clipped = jax.vmap(clip_one, in_axes=(0, None))(grads, 1.0)
    w_key, b_key = jax.random.split(key)
    w_sum, b_sum = clipped[0].sum(axis=0), clipped[1].sum(axis=0)
    w_noisy = w_sum + 0.1 * jax.random.normal(w_key, w_sum.shape)
    b_noisy = b_sum + 0.1 * jax.random.normal(b_key)
    w, b = params
    return w - 0.05 * w_noisy, b - 0.05 * b_noisy


key = jax.random.key(11)
x_key, flip_key, *step_keys = jax.random.split(key, 7)
xs = jax.random.normal(x_key, (40, 3))
separator = jnp.array([2.0, -1.0, 0.5])
ys = jnp.sign(xs @ separator)
flipped = jax.random.bernoulli(flip_key, 0.05, (40,))
ys = jnp.where(flipped, -ys, ys)

params: Params = (jnp.zeros(3), jnp.zeros(()))
for step_key in step_keys:
    params = private_step(params, xs, ys, step_key)

scores = jax.vmap(predict, in_axes=(None, 0))(params, xs)
by_example = jax.vmap(lambda x, y: jnp.dot(x, separator) * y)(xs, ys)
weights = jax.nn.softmax(-by_example)
hardest = weights @ xs
print("accuracy", jnp.mean(jnp.sign(scores) == ys), "hardest", hardest)
