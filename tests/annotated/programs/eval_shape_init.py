"""Shapes of parameters and activations are found abstractly before anything is allocated."""

import math

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Key, PyTree

Spec = Float[jax.ShapeDtypeStruct, "..."]


def init(key: Key[Array, ""], n_in: int, n_hidden: int, n_out: int) -> dict[str, Float[Array, "_ _"]]:
    first, second = jax.random.split(key)
    return {
        "in": jax.random.normal(first, (n_in, n_hidden)),
        "out": jax.random.normal(second, (n_hidden, n_out)),
    }


def apply(params: dict[str, Float[Array, "_ _"]], x: Float[Array, "b n_in"]) -> Float[Array, "b n_out"]:
    return jax.nn.relu(x @ params["in"]) @ params["out"]


def count(specs: PyTree[Spec]) -> int:
    return sum(math.prod(spec.shape) for spec in jax.tree.leaves(specs))


def weight_spec(n_in: int, n_out: int) -> Float[jax.ShapeDtypeStruct, "{n_in} {n_out}"]:
    return jax.ShapeDtypeStruct((n_in, n_out), jnp.float32)


def output_spec(
    params: PyTree[Spec], x: Float[jax.ShapeDtypeStruct, "b n_in"]
) -> Float[jax.ShapeDtypeStruct, "b n_out"]:
    return jax.eval_shape(apply, params, x)


def materialize(key: Key[Array, ""], spec: Float[jax.ShapeDtypeStruct, "n m"]) -> Float[Array, "n m"]:
    return jax.random.normal(key, spec.shape, spec.dtype) / math.sqrt(spec.shape[0])


specs = jax.eval_shape(lambda key: init(key, 6, 9, 4), jax.random.key(0))
logits = output_spec(specs, jax.ShapeDtypeStruct((5, 6), jnp.float32))
by_hand = {"in": weight_spec(6, 9), "out": weight_spec(9, 4)}
assert count(by_hand) == count(specs)
keys = dict(zip(sorted(by_hand), jax.random.split(jax.random.key(1)), strict=True))
params = {name: materialize(keys[name], spec) for name, spec in by_hand.items()}
print(logits.shape, apply(params, jnp.ones((5, 6))).std())
