"""A checkpoint on the host is restored into specs of shapes and dtypes."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Float32, Int32, Num, PyTree, Shaped


class TrainState(NamedTuple):
    step: Int32[Array, ""]
    w: Float32[Array, "n m"]
    bias: Float32[Array, "m"]


def save(state: PyTree[Num[Array, "..."]]) -> dict[str, Num[np.ndarray, "..."]]:
    paths, _ = jax.tree_util.tree_flatten_with_path(state)
    return {jax.tree_util.keystr(path): np.asarray(leaf) for path, leaf in paths}


def restore_leaf(
    spec: Shaped[jax.ShapeDtypeStruct, "*shape"], stored: Num[np.ndarray, "*shape"]
) -> Num[Array, "*shape"]:
    return jnp.asarray(stored, dtype=spec.dtype)


def restore(specs: TrainState, stored: dict[str, Num[np.ndarray, "..."]]) -> TrainState:
    def one(path: tuple, spec: Shaped[jax.ShapeDtypeStruct, "..."]) -> Num[Array, "..."]:
        return restore_leaf(spec, stored[jax.tree_util.keystr(path)])

    return jax.tree_util.tree_map_with_path(one, specs)


def forward(w: Float[Array, "n m"], bias: Float[Array, "m"], x: Float[Array, "b n"]) -> Float[Array, "b m"]:
    return jnp.tanh(x @ w + bias)


def initial_state() -> TrainState:
    return TrainState(jnp.int32(0), 0.1 * jnp.ones((4, 3)), jnp.zeros(3))


state = initial_state()._replace(step=jnp.int32(12), bias=jnp.arange(3.0))
stored = save(state)
specs = jax.eval_shape(initial_state)
restored = restore(specs, stored)
print(restored.step, forward(restored.w, restored.bias, jnp.ones((2, 4))))
