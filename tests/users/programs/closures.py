"""Losses and optimizers as closures, minimized by a general driver."""

from collections.abc import Callable

import jax
import jax.numpy as jnp

Loss = Callable[[jax.Array], jax.Array]


def make_loss(x: jax.Array, y: jax.Array, penalty: float) -> Loss:
    def loss(w: jax.Array) -> jax.Array:
        residual = x @ w - y
        return 0.5 * jnp.mean(residual**2) + penalty * jnp.sum(jnp.abs(w))

    return loss


def momentum(lr: float, beta: float = 0.9) -> tuple[Callable[..., jax.Array], Callable[..., tuple[jax.Array, jax.Array]]]:
    def init(w: jax.Array) -> jax.Array:
        return jnp.zeros_like(w)

    def update(grad: jax.Array, velocity: jax.Array, w: jax.Array) -> tuple[jax.Array, jax.Array]:
        velocity = beta * velocity - lr * grad
        return w + velocity, velocity

    return init, update


def minimize(loss: Loss, w: jax.Array, steps: int) -> tuple[jax.Array, list[float]]:
    init, update = momentum(0.05)
    velocity = init(w)
    history: list[float] = []

    @jax.jit
    def step(w: jax.Array, velocity: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
        value, grad = jax.value_and_grad(loss)(w)
        w, velocity = update(grad, velocity, w)
        return w, velocity, value

    for _ in range(steps):
        w, velocity, value = step(w, velocity)
        history.append(float(value))
    return w, history


def main() -> None:
    k1, k2 = jax.random.split(jax.random.key(0))
    x = jax.random.normal(k1, (50, 4))
    true_w = jnp.array([1.0, 0.0, -2.0, 0.0])
    y = x @ true_w + 0.01 * jax.random.normal(k2, (50,))
    w, history = minimize(make_loss(x, y, penalty=0.01), jnp.zeros(4), steps=30)

    ridge = jnp.linalg.solve(x.T @ x + 0.1 * jnp.eye(4), x.T @ y)
    centered = x - x.mean(axis=0)
    covariance = centered.T @ centered / (x.shape[0] - 1)
    spread = jnp.sqrt(jnp.diagonal(covariance))
    curvature = jax.hessian(make_loss(x, y, 0.0))(w)
    print(history[0], "->", history[-1], "lasso", w, "ridge", ridge, spread, curvature.shape)


if __name__ == "__main__":
    main()
