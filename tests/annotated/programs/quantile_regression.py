"""Linear quantile regression with the pinball loss for several levels at once."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float
from jaxtyping import Float32 as F32  # noqa: N814

Levels = Float[Array, "q"]


def predict(w: F32[Array, "q d"], b: F32[Array, "q"], x: F32[Array, "n d"]) -> F32[Array, "q n"]:
    return w @ x.T + b[:, None]


def pinball(levels: Levels, predicted: F32[Array, "q n"], y: F32[Array, "n"]) -> F32[Array, "q"]:
    error = y - predicted
    level = levels[:, None]
    return jnp.mean(jnp.maximum(level * error, (level - 1) * error), axis=1)


def loss(
    params: tuple[F32[Array, "q d"], F32[Array, "q"]], levels: Levels, x: Array, y: Array
) -> F32[Array, ""]:
    w, b = params
    return pinball(levels, predict(w, b, x), y).sum()


def crossing_rate(predicted: F32[Array, "q n"]) -> F32[Array, ""]:
    gaps: F32[Array, "q-1 n"] = jnp.diff(predicted, axis=0)
    return jnp.mean(gaps < 0)


def coverage(
    predicted: F32[Array, "q n"], y: F32[Array, "n"], *, low: int = 0, high: int = -1
) -> F32[Array, ""]:
    inside = (predicted[low] <= y) & (y <= predicted[high])
    return inside.astype(jnp.float32).mean()


levels = jnp.array([0.1, 0.5, 0.9])
x_key, noise_key = jax.random.split(jax.random.key(0))
x = jax.random.normal(x_key, (16, 2))
y = x @ jnp.array([1.0, -2.0]) + 0.3 * jax.random.normal(noise_key, (16,))
params = (jnp.zeros((3, 2)), jnp.zeros(3))
grad = jax.jit(jax.grad(loss))
for _ in range(20):
    params = jax.tree.map(lambda p, g: p - 0.2 * g, params, grad(params, levels, x, y))
predicted = predict(*params, x)
print(crossing_rate(predicted), coverage(predicted, y))
