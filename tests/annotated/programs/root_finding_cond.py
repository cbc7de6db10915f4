"""Safeguarded Newton steps for monotone functions: lax.cond, scalars of any kind."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
from jax import lax
from jaxtyping import Array, Float, Scalar, ScalarLike, Shaped

Function = Callable[[Float[Array, ""]], Float[Array, ""]]
Bracket = tuple[Float[Array, ""], Float[Array, ""], Float[Array, ""]]


def newton_or_bisect(fn: Function, state: Bracket) -> Bracket:
    low, high, x = state
    value, slope = jax.value_and_grad(fn)(x)
    low, high = jnp.where(value < 0, x, low), jnp.where(value < 0, high, x)
    newton = x - value / slope

    def keep(candidate: Scalar) -> Scalar:
        return candidate

    def bisect(_: Scalar) -> Scalar:
        return 0.5 * (low + high)

    inside = (low < newton) & (newton < high)
    return low, high, lax.cond(inside, keep, bisect, newton)


def solve(fn: Function, low: ScalarLike, high: ScalarLike, steps: int = 15) -> Scalar:
    low, high = jnp.asarray(low, float), jnp.asarray(high, float)
    start = (low, high, 0.5 * (low + high))
    _, _, root = lax.fori_loop(0, steps, lambda _, state: newton_or_bisect(fn, state), start)
    return root


def quantile(level: Shaped[Array, ""], shape: ScalarLike) -> Scalar:
    return solve(lambda x: 1.0 - jnp.exp(-(x**shape)) - level, 1e-3, 20.0)


def quantiles(levels: Float[Array, "levels"], shape: ScalarLike) -> Float[Array, "levels"]:
    return jax.vmap(quantile, in_axes=(0, None))(levels, shape)


levels = jnp.array([0.1, 0.5, 0.9])
print(quantiles(levels, 1.5), (-jnp.log(1 - levels)) ** (1 / 1.5))
