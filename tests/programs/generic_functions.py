"""Functions of arrays of any float dtype, and functions that are mapped over the parts of arrays."""

from typing import TypeVar

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec
from typing_extensions import reveal_type

from jaxtyping_core.typing import Array, Float32, bfloat16, float32, floating, inexact

B = TypeVar("B")
D = TypeVar("D")
Float = TypeVar("Float", bound=floating)
Inexact = TypeVar("Inexact", bound=inexact)
Either = TypeVar("Either", float32, bfloat16)
Anything = TypeVar("Anything")


def centered(x: Array[Float, tuple[B]]) -> Array[Float, tuple[B]]:
    return x - x.mean()  # error in pyrefly


def scaled(x: Array[Inexact, tuple[B, D]]) -> Array[Inexact, tuple[B, D]]:
    return x / jnp.max(x)  # error in pyrefly


def shifted(x: Array[Either, tuple[B]]) -> Array[Either, tuple[B]]:
    return x - x.mean()  # error in pyrefly


def moved(x: Array[Anything, tuple[B]]) -> Array[Anything, tuple[B]]:
    return x - x.mean()


def summed(x: Array[Float, tuple[B, D]]) -> Array[Float, tuple[B, D]]:
    return x + x.sum()  # error in pyrefly


def of_some_float(x: Array[floating, tuple[B]], y: Float32[B], i: Array[Inexact, tuple[B]]) -> None:
    reveal_type(x - x.mean())  # Array[floating, tuple[B]]
    reveal_type(y - y.mean())  # Array[float32, tuple[B]]
    reveal_type(y / y.astype(jnp.bfloat16).max())  # Array[float32, tuple[B]]
    reveal_type(y.astype(jnp.bfloat16) - y.mean())  # Array[float32, tuple[B]]
    print(i - i.mean())


mesh = jax.make_mesh((1,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
rows = PartitionSpec("i")


@jax.shard_map(mesh=mesh, in_specs=(rows, rows), out_specs=rows)  # error in mypy-strict, mypy-configured
def added(x: jax.Array, y: jax.Array) -> jax.Array:
    return x + y


@jax.shard_map(mesh=mesh, in_specs=rows, out_specs=rows)  # error in mypy-strict, mypy-configured
def doubled(x: Float32[B]) -> Float32[B]:
    return x * 2


def of_parts(x: Float32[D]) -> None:
    print(added(x, x))
    reveal_type(doubled(x))  # Array[float32, Any], open in pyrefly, ty
    if x.size > 100:
        added(x)  # error in pyright, basedpyright
        print(added(x, x, x))  # error in pyright, basedpyright


if __name__ == "__main__":
    x = jnp.arange(4.0)
    print(centered(x), shifted(x), moved(x), scaled(jnp.ones((2, 2))), summed(jnp.ones((2, 2))))
    of_some_float(x, x, x)
    of_parts(x)
