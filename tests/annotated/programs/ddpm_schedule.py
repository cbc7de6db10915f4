"""The noise schedule, the forward process and one reverse step of a diffusion model."""

from collections.abc import Callable
from dataclasses import dataclass

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

Denoiser = Callable[[Float[Array, "b h w c"], Int[Array, "b"]], Float[Array, "b h w c"]]


@dataclass(frozen=True)
class Schedule:
    betas: Float[Array, "steps"]

    @property
    def alpha_bars(self) -> Float[Array, "steps"]:
        return jnp.cumprod(1.0 - self.betas)

    @classmethod
    def linear(cls, steps: int, low: float = 1e-4, high: float = 0.02) -> "Schedule":
        return cls(jnp.linspace(low, high, steps))


def expand(coefficient: Float[Array, "b"]) -> Float[Array, "b 1 1 1"]:
    return coefficient[:, None, None, None]


def add_noise(
    schedule: Schedule, x0: Float[Array, "b h w c"], noise: Float[Array, "b h w c"], t: Int[Array, "b"]
) -> Float[Array, "b h w c"]:
    alpha_bar = schedule.alpha_bars[t]
    return expand(jnp.sqrt(alpha_bar)) * x0 + expand(jnp.sqrt(1 - alpha_bar)) * noise


def denoising_loss(
    model: Denoiser, schedule: Schedule, x0: Float[Array, "b h w c"], key: PRNGKeyArray
) -> Float[Array, ""]:
    t_key, noise_key = jax.random.split(key)
    t = jax.random.randint(t_key, (x0.shape[0],), 0, schedule.betas.shape[0])
    noise = jax.random.normal(noise_key, x0.shape)
    predicted = model(add_noise(schedule, x0, noise, t), t)
    return jnp.mean(jnp.sum((predicted - noise) ** 2, axis=(1, 2, 3)))


def blur(x: Float[Array, "b h w c"], t: Int[Array, "b"]) -> Float[Array, "b h w c"]:
    return (x - x.mean(axis=(1, 2), keepdims=True)) / (1.0 + expand(0.1 * t))


schedule = Schedule.linear(20)
x0 = jax.random.normal(jax.random.key(0), (3, 4, 5, 1))
print(denoising_loss(blur, schedule, x0, jax.random.key(1)))
