"""A diagonal state space layer: complex poles, an associative scan, real outputs."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Complex, Float, Inexact, PRNGKeyArray


def combine(
    left: tuple[Complex[Array, "*t n"], Complex[Array, "*t n"]],
    right: tuple[Complex[Array, "*t n"], Complex[Array, "*t n"]],
) -> tuple[Complex[Array, "*t n"], Complex[Array, "*t n"]]:
    a_left, b_left = left
    a_right, b_right = right
    return a_left * a_right, a_right * b_left + b_right


def discretize(
    poles: Complex[Array, "n"], b: Inexact[Array, "n d"], step: Float[Array, ""]
) -> tuple[Complex[Array, "n"], Complex[Array, "n d"]]:
    decay = jnp.exp(poles * step)
    return decay, ((decay - 1.0) / poles)[:, None] * b


class DiagonalSSM(eqx.Module):
    log_decay: Float[Array, "n"]
    frequency: Float[Array, "n"]
    b: Complex[Array, "n d"]
    c: Complex[Array, "d n"]
    skip: Float[Array, "d"]

    def __init__(self, d: int, n: int, *, key: PRNGKeyArray):
        b_key, c_key = jax.random.split(key)
        self.log_decay = jnp.full(n, -1.0)
        self.frequency = jnp.pi * jnp.arange(n)
        self.b = jax.random.normal(b_key, (n, d), dtype=jnp.complex64)
        self.c = jax.random.normal(c_key, (d, n), dtype=jnp.complex64)
        self.skip = jnp.ones(d)

    @property
    def poles(self) -> Complex[Array, "n"]:
        return -jnp.exp(self.log_decay) + 1j * self.frequency

    def __call__(self, u: Float[Array, "t d"]) -> Float[Array, "t d"]:
        decay, b = discretize(self.poles, self.b, jnp.array(0.1))
        driven: Complex[Array, "t n"] = u @ b.T
        decays = jnp.broadcast_to(decay, driven.shape)
        _, states = jax.lax.associative_scan(combine, (decays, driven))
        return (states @ self.c.T).real + self.skip * u


layer = DiagonalSSM(3, 5, key=jax.random.PRNGKey(0))
u = jax.random.normal(jax.random.PRNGKey(1), (8, 3))
print(jnp.abs(eqx.filter_jit(layer)(u)).max())
