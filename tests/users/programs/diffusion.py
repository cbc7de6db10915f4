"""A denoising diffusion model of points in the plane."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Schedule:
    betas: jax.Array
    alpha_bars: jax.Array

    @classmethod
    def linear(cls, steps: int) -> "Schedule":
        betas = jnp.linspace(1e-4, 0.2, steps)
        return cls(betas, jnp.cumprod(1.0 - betas))

    def add_noise(self, x: jax.Array, t: jax.Array, noise: jax.Array) -> jax.Array:
        alpha_bar = self.alpha_bars[t][:, None]
        return jnp.sqrt(alpha_bar) * x + jnp.sqrt(1 - alpha_bar) * noise


def time_embedding(t: jax.Array, dim: int) -> jax.Array:
    frequencies = jnp.exp(-jnp.log(1000.0) * jnp.arange(dim // 2) / (dim // 2))
    angles = t[:, None] * frequencies[None, :]
    return jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=-1)


def init(key: jax.Array, dim: int, hidden: int) -> list[dict[str, jax.Array]]:
    sizes = [2 + dim, hidden, 2]
    layers = []
    for k, n, m in zip(jax.random.split(key, 2), sizes[:-1], sizes[1:]):
        layers.append({"w": jax.random.normal(k, (n, m)) / jnp.sqrt(n), "b": jnp.zeros(m)})
    return layers


def denoise(layers: list[dict[str, jax.Array]], x: jax.Array, t: jax.Array) -> jax.Array:
    h = jnp.concatenate([x, time_embedding(t, 8)], axis=1)
    for layer in layers[:-1]:
        h = jax.nn.silu(h @ layer["w"] + layer["b"])
    return h @ layers[-1]["w"] + layers[-1]["b"]


schedule = Schedule.linear(20)


@jax.jit
def loss(layers: list[dict[str, jax.Array]], x: jax.Array, key: jax.Array) -> jax.Array:
    t_key, noise_key = jax.random.split(key)
    t = jax.random.randint(t_key, (x.shape[0],), 0, 20)
    noise = jax.random.normal(noise_key, x.shape)
    predicted = denoise(layers, schedule.add_noise(x, t, noise), t)
    return jnp.mean((predicted - noise) ** 2)


angles = jnp.linspace(0.0, 2 * jnp.pi, 24, endpoint=False)
circle = jnp.stack([jnp.cos(angles), jnp.sin(angles)], axis=1)
layers = init(jax.random.key(0), 8, 16)
for i in range(3):
    value, grads = jax.value_and_grad(loss)(layers, circle, jax.random.key(i))
    layers = jax.tree.map(lambda p, g: p - 0.05 * g, layers, grads)
    print("loss", value)

betas = jnp.linspace(1e-4, 0.2, 20)
signal = jnp.cumprod(1.0 - betas)
levels = jnp.sqrt(signal)[:, None, None] * circle
spread = jnp.sqrt(1.0 - signal)[:, None, None] * jnp.ones((20, 24, 2))
ratio = jnp.linalg.norm(levels, axis=-1) / jnp.linalg.norm(spread, axis=-1)
rotation = jnp.array([[0.0, -1.0], [1.0, 0.0]])
rotated = circle @ rotation
print(ratio[:, 0], jnp.sum(circle * rotated, axis=1).max())
