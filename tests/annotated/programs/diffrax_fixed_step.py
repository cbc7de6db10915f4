"""Explicit Runge-Kutta steps for an ODE, the trajectory saved at given times."""

from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Real, ScalarLike

VectorField = Callable[[Float[Array, ""], Float[Array, "d"], Any], Float[Array, "d"]]


class ButcherTableau(eqx.Module):
    a: Float[Array, "stages stages"]
    b: Float[Array, "stages"]
    c: Float[Array, "stages"]


midpoint = ButcherTableau(jnp.array([[0.0, 0.0], [0.5, 0.0]]), jnp.array([0.0, 1.0]), jnp.array([0.0, 0.5]))


def rk_step(
    tableau: ButcherTableau,
    field: VectorField,
    t: Float[Array, ""],
    dt: Float[Array, ""],
    y: Float[Array, "d"],
    args: Any,
) -> Float[Array, "d"]:
    ks = jnp.zeros((tableau.b.shape[0], y.shape[0]))
    for i in range(tableau.b.shape[0]):
        stage = y + dt * (tableau.a[i] @ ks)
        ks = ks.at[i].set(field(t + tableau.c[i] * dt, stage, args))
    return y + dt * (tableau.b @ ks)


def solve(
    field: VectorField, y0: Float[Array, "d"], ts: Real[Array, "times"], args: Any = None
) -> Float[Array, "times d"]:
    def body(y: Float[Array, "d"], interval: tuple[Float[Array, ""], Float[Array, ""]]) -> tuple:
        t0, t1 = interval
        y_next = rk_step(midpoint, field, t0, t1 - t0, y, args)
        return y_next, y_next

    _, ys = jax.lax.scan(body, y0, (ts[:-1], ts[1:]))
    return jnp.concatenate([y0[None], ys])


def lotka_volterra(t: Float[Array, ""], y: Float[Array, "3"], args: ScalarLike) -> Float[Array, "3"]:
    prey, predator, food = y
    return jnp.stack([prey * (food - predator), predator * (prey - args), -0.1 * food * prey])


trajectory = solve(lotka_volterra, jnp.array([1.0, 0.5, 1.0]), jnp.linspace(0.0, 2.0, 9), 0.7)
print(trajectory[-1])
