"""The same with type parameters (PEP 695)."""

import jax.numpy as jnp
from jaxtyping import Array, Float
from jaxtyping_core.typing import Float32

type Row = Float[Array, "n"]


def dense[B: int, D: int, H: int](x: Float32[B, D], w: Float32[D, H]) -> Float32[B, H]:
    return x @ w


def several[*Bs, D: int](x: Float32[*Bs, D]) -> Float32[*Bs]:
    return x  # says: "several" returns float32[2, 3]


def total(x: Row) -> Row:
    return x[1:]  # says: "total" returns float32[1]


dense(jnp.ones((2, 3)), jnp.ones((3, 4)))
dense(jnp.ones((2, 3)), jnp.ones((4, 4)))  # says: Argument "w" of "dense" is float32[4, 4]
several(jnp.ones((2, 3)))
total(jnp.ones(2))
