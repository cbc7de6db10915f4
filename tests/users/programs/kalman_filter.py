"""A Kalman filter over noisy positions by lax.scan, with a smoother's gain."""

from typing import TypeVar

import jax
import jax.numpy as jnp
from jax import lax

from jaxtyping_core.typing import Array, Float32

S = TypeVar("S", bound=int)
O = TypeVar("O", bound=int)
T = TypeVar("T", bound=int)


def predict(
    mean: Float32[S], covariance: Float32[S, S], transition: Float32[S, S], noise: Float32[S, S]
) -> tuple[Float32[S], Float32[S, S]]:
    return transition @ mean, transition @ covariance @ transition.T + noise


def correct(
    mean: Float32[S],
    covariance: Float32[S, S],
    observation: Float32[O],
    emission: Float32[O, S],
    noise: Float32[O, O],
) -> tuple[Float32[S], Float32[S, S]]:
    innovation = observation - emission @ mean
    spread = emission @ covariance @ emission.T + noise
    gain = covariance @ emission.T @ jnp.linalg.inv(spread)
    identity = jnp.eye(mean.shape[0])
    return mean + gain @ innovation, (identity - gain @ emission) @ covariance


def run(
    observations: Float32[T, O],
    mean: Float32[S],
    covariance: Float32[S, S],
    transition: Float32[S, S],
    emission: Float32[O, S],
    process_noise: Float32[S, S],
    sensor_noise: Float32[O, O],
) -> Array:
    def step(state: tuple[Array, Array], observation: Array) -> tuple[tuple[Array, Array], Array]:
        mean, covariance = predict(*state, transition, process_noise)
        mean, covariance = correct(mean, covariance, observation, emission, sensor_noise)
        return (mean, covariance), mean

    _, means = lax.scan(step, (mean, covariance), observations)
    return means


def log_gaussian(x: Float32[O], covariance: Float32[O, O]) -> Float32[()]:
    sign, log_det = jnp.linalg.slogdet(covariance)
    distance = x @ jnp.linalg.solve(covariance, x)
    return -0.5 * (distance + log_det + x.shape[0] * jnp.log(2 * jnp.pi))


transition = jnp.array([[1.0, 0.0, 0.1, 0.0], [0.0, 1.0, 0.0, 0.1], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
emission = jnp.eye(2, 4)
process_noise = 0.01 * jnp.eye(4)
sensor_noise = 0.25 * jnp.eye(2)

times = jnp.arange(30) * 0.1
path = jnp.stack([jnp.cos(times), jnp.sin(times)], axis=1)
observations = path + 0.5 * jax.random.normal(jax.random.key(0), path.shape)
mean, covariance = jnp.zeros(4), jnp.eye(4)
means = jax.jit(run)(observations, mean, covariance, transition, emission, process_noise, sensor_noise)
first_mean, first_covariance = correct(mean, covariance, observations[0], emission, sensor_noise)
raw_error = jnp.linalg.norm(observations - path, axis=1).mean()
error = jnp.linalg.norm(means[:, :2] - path, axis=1).mean()
print(raw_error, "->", error, first_covariance.shape, log_gaussian(observations[0], sensor_noise))
