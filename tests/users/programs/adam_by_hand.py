"""Adam written out: moments in a NamedTuple, updates by jax.tree.map."""

from typing import NamedTuple

import jax
import jax.numpy as jnp

Params = dict[str, jax.Array]


class AdamState(NamedTuple):
    step: jax.Array
    mu: Params
    nu: Params


def init_adam(params: Params) -> AdamState:
    zeros = jax.tree.map(jnp.zeros_like, params)
    return AdamState(jnp.zeros([], jnp.int32), zeros, zeros)


def adam(
    grads: Params,
    state: AdamState,
    params: Params,
    lr: float = 1e-2,
    b1: float = 0.9,
    b2: float = 0.999,
    eps: float = 1e-8,
) -> tuple[Params, AdamState]:
    step = state.step + 1
    mu = jax.tree.map(lambda m, g: b1 * m + (1 - b1) * g, state.mu, grads)
    nu = jax.tree.map(lambda v, g: b2 * v + (1 - b2) * g * g, state.nu, grads)
    count = step.astype(jnp.float32)
    mu_hat = jax.tree.map(lambda m: m / (1 - b1**count), mu)
    nu_hat = jax.tree.map(lambda v: v / (1 - b2**count), nu)
    params = jax.tree.map(lambda p, m, v: p - lr * m / (jnp.sqrt(v) + eps), params, mu_hat, nu_hat)
    return params, AdamState(step, mu, nu)


def polynomial(params: Params, x: jax.Array) -> jax.Array:
    powers = x[:, None] ** jnp.arange(4)
    return powers @ params["coefficients"] + params["offset"]


def loss(params: Params, x: jax.Array, y: jax.Array) -> jax.Array:
    return jnp.mean((polynomial(params, x) - y) ** 2)


@jax.jit
def train_step(
    params: Params, state: AdamState, x: jax.Array, y: jax.Array
) -> tuple[Params, AdamState, jax.Array]:
    value, grads = jax.value_and_grad(loss)(params, x, y)
    params, state = adam(grads, state, params)
    return params, state, value


x = jnp.linspace(-1, 1, 50)
y = 0.5 * x**3 - x + 0.25
params: Params = {"coefficients": jnp.zeros(4), "offset": jnp.zeros(())}
state = init_adam(params)
for _ in range(10):
    params, state, value = train_step(params, state, x, y)

vandermonde = jnp.vander(x, 4)
normal_matrix = vandermonde.T @ vandermonde
exact = jnp.linalg.solve(normal_matrix, vandermonde.T @ y)
print("after", state.step, "steps:", value, "exact coefficients:", exact)
