"""flax takes the layer's arrays as they are: modules, their variables, training states, serialized states."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from flax import linen, nnx, serialization, struct
from flax.training.train_state import TrainState

import jaxtyping_core.numpy as lnp

X = np.linspace(-1, 1, 12, dtype="float32").reshape(4, 3)


class Model(linen.Module):
    @linen.compact
    def __call__(self, x: Any) -> Any:
        x = linen.LayerNorm()(linen.relu(linen.Dense(5)(x)))
        return linen.Dense(2)(x)


def layered(tree: Any) -> Any:
    return jax.tree.map(lnp.asarray, tree)


def kinds(tree: Any) -> set[type]:
    return {type(leaf) for leaf in jax.tree.leaves(tree, is_leaf=lambda leaf: isinstance(leaf, lnp.Array))}


def same(ours: Any, theirs: Any) -> None:
    pairs = zip(jax.tree.leaves(ours), jax.tree.leaves(theirs), strict=True)
    # What XLA compiles as one may round otherwise than what it computes step by step.
    assert all((a.dtype, a.shape) == (b.dtype, b.shape) and np.allclose(a, b, rtol=1e-5) for a, b in pairs)


def test_linen() -> None:
    """A model initialized and applied, with variables and inputs of the layer."""
    model = Model()
    theirs = model.init(jax.random.key(0), jnp.asarray(X))
    same(model.init(jax.random.key(0), lnp.asarray(X)), theirs)
    variables = layered(theirs)
    assert kinds(variables) == {lnp.Array}
    expected = model.apply(theirs, jnp.asarray(X))
    for apply in (model.apply, jax.jit(model.apply)):
        same(apply(variables, lnp.asarray(X)), expected)
        same(apply(variables, jnp.asarray(X)), expected)


def test_a_training_state() -> None:
    """Some steps of training give the same numbers, and parameters of the layer stay arrays of the layer."""

    def step(state: Any, x: Any) -> Any:
        def loss(params: Any) -> Any:
            out = state.apply_fn({"params": params}, x)
            return jax.numpy.mean(jax.numpy.square(out - 1.0))

        return state.apply_gradients(grads=jax.grad(loss)(state.params))

    params = Model().init(jax.random.key(0), X)["params"]
    states = []
    for start, x in ((params, jnp.asarray(X)), (layered(params), lnp.asarray(X))):
        state = TrainState.create(apply_fn=Model().apply, params=start, tx=optax.adam(1e-2))
        for _ in range(3):
            state = jax.jit(step)(state, x)
        states.append(state)
    assert kinds(states[1].params) == {lnp.Array}
    same(states[1].params, states[0].params)


def test_serialization() -> None:
    """flax serializes arrays that it knows: the layer's are registered, as any class is."""
    serialization.register_serialization_state(
        lnp.Array, lambda array: {"value": array.value}, lambda _, state: lnp.asarray(state["value"])
    )
    params = layered(Model().init(jax.random.key(0), X))
    restored = serialization.from_bytes(params, serialization.to_bytes(params))
    assert kinds(restored) == {lnp.Array}
    same(restored, params)


def test_struct() -> None:
    @struct.dataclass
    class Point:
        x: Any
        y: Any

    moved = jax.jit(lambda p: p.replace(x=p.x + 1))(Point(lnp.ones(2), lnp.zeros(2)))
    assert kinds(moved) == {lnp.Array}
    assert moved.x.tolist() == [2.0, 2.0]


def test_nnx() -> None:
    """A module of nnx applied to arrays of the layer, and one whose parameters are such arrays."""
    linear = nnx.Linear(3, 2, rngs=nnx.Rngs(0))
    expected = linear(jnp.asarray(X))
    same(linear(lnp.asarray(X)), expected)
    graph, state = nnx.split(linear)
    same(nnx.merge(graph, layered(state))(lnp.asarray(X)), expected)


@pytest.mark.parametrize("jit", [lambda step: step, nnx.jit], ids=["eager", "jit"])
def test_an_optimizer_of_nnx(jit: Any) -> None:
    """Training a module whose parameters are arrays of the layer gives the numbers that arrays of JAX give."""

    class Own(nnx.Module):
        def __init__(self, xp: Any) -> None:
            self.w, self.count = nnx.Param(xp.ones((3, 2))), nnx.BatchStat(xp.zeros(2))

        def __call__(self, x: Any) -> Any:
            self.count[...] = self.count[...] + 1
            return x @ self.w

    def step(model: Any, optimizer: Any, x: Any) -> None:
        optimizer.update(model, nnx.grad(lambda model: jnp.mean(model(x) ** 2))(model))

    models = []
    for xp in (jnp, lnp):
        model = Own(xp)
        optimizer = nnx.Optimizer(model, optax.adam(1e-2), wrt=nnx.Param)
        run = jit(step)
        for _ in range(3):
            run(model, optimizer, xp.asarray(X))
        models.append(model)
    theirs, ours = map(nnx.state, models)
    assert kinds(ours) == {lnp.Array}
    same(ours, theirs)
    assert (
        type(nnx.vmap(lambda model, x: model(x), in_axes=(None, 0))(models[1], lnp.asarray(X))) is lnp.Array
    )
