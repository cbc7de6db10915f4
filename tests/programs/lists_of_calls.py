"""Lists of arrays that are calls themselves."""

from typing import Any, TypeVar

import jax
import jax.numpy as jnp
from typing_extensions import reveal_type

from jaxtyping_core.typing import BFloat16, Float32

B = TypeVar("B")
D = TypeVar("D")


def of_one_rank(m: Float32[B, D], v: Float32[D]) -> None:
    a = jnp.concatenate([jnp.sin(m), jnp.cos(m)])
    reveal_type(a)  # Array[float32, tuple[Any, D]]
    b = jnp.concatenate([jnp.sin(m), jnp.cos(m)], axis=-1)
    reveal_type(b)  # Array[float32, tuple[B, Any]]
    c = jnp.stack([jnp.sin(m), jnp.cos(m)])
    reveal_type(c)  # Array[float32, tuple[Any, B, D]]
    d = jnp.vstack([jnp.sin(m), jnp.cos(m)])
    reveal_type(d)  # Array[float32, tuple[Any, D]]
    e = jnp.hstack([jnp.sin(m), jnp.cos(m)])
    reveal_type(e)  # Array[float32, tuple[B, Any]]
    f = jnp.stack([jnp.sin(v), -jnp.cos(v), v * 2], axis=0)
    reveal_type(f)  # Array[float32, tuple[Any, D]]
    print(jnp.stack((jnp.sin(v), jnp.cos(v))), jnp.concatenate((jnp.sin(m), jnp.cos(m)), axis=1))
    print(jnp.concatenate([jnp.zeros((1, 2)), jnp.ones((3, 2))]), jnp.stack([jax.nn.relu(v), v.astype(jnp.float32)]))


def positions(t: Float32[B], freqs: Float32[D]) -> Float32:
    angles = t[:, None] * freqs[None, :]
    return jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=-1)


def of_default_dtypes(b: BFloat16[D]) -> None:
    # The dtype that a call gives by default does not follow what its result is for.
    x: Float32 = jnp.stack([jnp.ones(3), b])
    y: BFloat16[Any] = jnp.ones(3)  # error in pyright, basedpyright, pyrefly
    print(x, y)


def of_unknown(x: jax.Array, y: jax.Array) -> jax.Array:
    return jnp.concatenate([jnp.sin(x), jnp.cos(y)]) + jnp.stack([jnp.sin(x), y]).sum()


if __name__ == "__main__":
    x = jnp.ones((2, 3))
    of_one_rank(x, x[0])
    of_default_dtypes(x[0].astype(jnp.bfloat16))
    print(positions(x[0], x[0]), of_unknown(x, x))
