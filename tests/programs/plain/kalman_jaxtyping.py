"""A Kalman filter and smoother with jaxtyping's annotations, some functions checked when they are called."""

from typing import NamedTuple, Tuple

import jax
import jax.numpy as jnp
from beartype import beartype
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray, jaxtyped


class Model(NamedTuple):
    transition: Float[Array, "state state"]
    observation: Float[Array, "obs state"]
    q: Float[Array, "state state"]
    r: Float[Array, "obs obs"]


class Belief(NamedTuple):
    mean: Float[Array, "state"]
    cov: Float[Array, "state state"]


@jaxtyped(typechecker=beartype)
def predict(model: Model, belief: Belief) -> Belief:
    mean = model.transition @ belief.mean
    cov = model.transition @ belief.cov @ model.transition.T + model.q
    return Belief(mean, cov)


@jaxtyped(typechecker=beartype)
def innovation(model: Model, y: Float[Array, "obs"], mean: Float[Array, "state"]) -> Float[Array, "obs"]:
    return y - model.observation @ mean


def update(model: Model, belief: Belief, y: Float[Array, " obs"]) -> Tuple[Belief, Float[Array, ""]]:
    v = innovation(model, y, belief.mean)
    S = model.observation @ belief.cov @ model.observation.T + model.r
    K = jnp.linalg.solve(S, model.observation @ belief.cov).T
    mean = belief.mean + K @ v
    cov = belief.cov - K @ S @ K.T
    log_lik = jax.scipy.stats.multivariate_normal.logpdf(v, jnp.zeros_like(v), S)
    return Belief(mean, cov), log_lik


def filter_all(model: Model, ys: Float[Array, "time obs"], seen: Bool[Array, "time"]):
    def step(belief, inputs):
        y, visible = inputs
        ahead = predict(model, belief)
        posterior, log_lik = update(model, ahead, y)
        chosen = jax.tree.map(lambda a, b: jnp.where(visible, a, b), posterior, ahead)
        return chosen, (ahead, chosen, jnp.where(visible, log_lik, 0.0))

    n = model.transition.shape[0]
    start = Belief(jnp.zeros(n), jnp.eye(n))
    _, (ahead, filtered, log_liks) = jax.lax.scan(step, start, (ys, seen))
    return ahead, filtered, log_liks.sum()


def smooth(model: Model, ahead: Belief, filtered: Belief) -> Float[Array, "time state"]:
    def back(following, inputs):
        predicted, current = inputs
        gain = jnp.linalg.solve(predicted.cov, model.transition @ current.cov).T
        mean = current.mean + gain @ (following - predicted.mean)
        return mean, mean

    later = jax.tree.map(lambda x: x[1:], ahead)
    earlier = jax.tree.map(lambda x: x[:-1], filtered)
    last = filtered.mean[-1]
    _, means = jax.lax.scan(back, last, (later, earlier), reverse=True)
    return jnp.vstack([means, last])


def simulate(key: PRNGKeyArray, model: Model, steps: int) -> Float[Array, "time obs"]:
    def step(x, key):
        k1, k2 = jax.random.split(key)
        x = model.transition @ x + jnp.linalg.cholesky(model.q) @ jax.random.normal(k1, x.shape)
        y = model.observation @ x + jnp.sqrt(jnp.diag(model.r)) * jax.random.normal(k2, (model.r.shape[0],))
        return x, y

    return jax.lax.scan(step, jnp.zeros(model.q.shape[0]), jax.random.split(key, steps))[1]


def with_noise(model: Model, log_r: Float[Array, ""]) -> Model:
    return model._replace(r=jnp.exp(log_r) * jnp.eye(model.r.shape[0]))


dt = 0.1
model = Model(
    transition=jnp.array([[1, 0, dt, 0], [0, 1, 0, dt], [0, 0, 1, 0], [0, 0, 0, 1]]),
    observation=jnp.eye(2, 4),
    q=0.01 * jnp.eye(4),
    r=0.1 * jnp.eye(2),
)
ys = simulate(jax.random.key(3), model, 30)
times: Int[Array, " time"] = jnp.arange(30)
seen = (times % 5 != 0) | (times < 2)
ahead, filtered, log_lik = jax.jit(filter_all)(model, ys, seen)
smoothed = smooth(model, ahead, filtered)
slope = jax.grad(lambda r: filter_all(with_noise(model, r), ys, seen)[-1])(jnp.log(0.1))
widths = jax.vmap(jnp.trace)(filtered.cov)
try:
    innovation(model, ys, filtered.mean[0])
except Exception as error:
    print("refused:", type(error).__name__)
print(log_lik, smoothed.shape, slope, widths[jnp.array([0, -1])])
