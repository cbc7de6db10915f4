"""Adam and an average of the weights, state in NamedTuples, annotated with jax.Array here and there."""

from typing import Any, Callable, NamedTuple, Optional

import jax
import jax.numpy as jnp
from jax import Array

Params = dict[str, Any]


class Moments(NamedTuple):
    count: Array
    mu: Params
    nu: Params


class State(NamedTuple):
    params: Params
    average: Params
    opt: Moments
    key: Array


class Transform(NamedTuple):
    init: Callable
    update: Callable


def adam(lr: float = 1e-2, b1: float = 0.9, b2: float = 0.999, eps: float = 1e-8) -> Transform:
    def init(params):
        return Moments(
            jnp.zeros([], jnp.int32),
            jax.tree.map(jnp.zeros_like, params),
            jax.tree.map(jnp.zeros_like, params),
        )

    def update(grads, state, params=None):
        count = state.count + 1
        mu = jax.tree.map(lambda m, g: b1 * m + (1 - b1) * g, state.mu, grads)
        nu = jax.tree.map(lambda v, g: b2 * v + (1 - b2) * jnp.square(g), state.nu, grads)
        scale = lr * jnp.sqrt(1 - b2**count) / (1 - b1**count)
        updates = jax.tree.map(lambda m, v: -scale * m / (jnp.sqrt(v) + eps), mu, nu)
        return updates, Moments(count, mu, nu)

    return Transform(init, update)


def ema(average: Params, params: Params, decay: float = 0.99) -> Params:
    return jax.tree.map(lambda a, p: decay * a + (1 - decay) * p, average, params)


def polynomial_features(x: Array, degree: int) -> Array:
    return jnp.stack([x**k for k in range(degree + 1)], axis=-1)


def predict(params: Params, x: Array) -> Array:
    features = polynomial_features(x, params["coefficients"].shape[0] - 1)
    return features @ params["coefficients"] * jnp.exp(params["log_gain"])


def loss(params: Params, key: Array, noise: Optional[float] = None) -> Array:
    x = jax.random.uniform(key, (32,), minval=-1.0)
    y = jnp.sin(3 * x)
    if noise:
        y = y + noise * jax.random.normal(key, y.shape)
    return jnp.mean((predict(params, x) - y) ** 2)


optimiser = adam(lr=0.05)


@jax.jit
def step(state: State) -> tuple[State, Array]:
    key, sub = jax.random.split(state.key)
    value, grads = jax.value_and_grad(loss)(state.params, sub, noise=0.1)
    updates, opt = optimiser.update(grads, state.opt)
    params = jax.tree.map(jnp.add, state.params, updates)
    return State(params, ema(state.average, params), opt, key), value


params = {"coefficients": jnp.zeros(6), "log_gain": 0.0}
params = jax.tree.map(jnp.asarray, params)
state = State(params, params, optimiser.init(params), jax.random.PRNGKey(7))
values = []
for _ in range(40):
    state, value = step(state)
    values.append(value)
curve = jnp.stack(values)
final = loss(state.average, state.key)
xs = jnp.linspace(-1, 1, 11)
fitted = predict(state._asdict()["average"], xs)
params, average, *_ = state
gap = jax.tree.reduce(jnp.maximum, jax.tree.map(lambda a, b: jnp.abs(a - b).max(), params, average))
print(curve[0], curve[-1], final, gap, state.opt.count, fitted)
