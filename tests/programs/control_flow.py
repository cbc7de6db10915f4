"""Control flow, and functions on trees: correct code, with the type of each result; see `transformations`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from typing_extensions import reveal_type

from jaxtyping_core.typing import Array, Float32, bfloat16, float32

D = TypeVar("D")
Params = dict[str, jax.Array]


class State(NamedTuple):
    mean: jax.Array
    step: jax.Array


@jax.tree_util.register_pytree_node_class
class Registered(dict[str, jax.Array]):
    """A dict that is a tree of its own class."""

    def tree_flatten(self) -> tuple[list[jax.Array], list[str]]:
        return list(self.values()), list(self)

    @classmethod
    def tree_unflatten(cls, keys: list[str], values: list[jax.Array]) -> Registered:
        return cls(zip(keys, values, strict=True))


def halve(x: jax.Array) -> Array[bfloat16]:
    return x.astype(jnp.bfloat16) / 2


def total(x: Array[float32]) -> Array[float32]:
    return x.sum()


def step(carry: State, x: jax.Array) -> tuple[State, Array[bfloat16]]:
    return State(carry.mean + x, carry.step + 1), x.astype(jnp.bfloat16)


def array_step(carry: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
    return carry + x, carry


def exact_step(carry: Array[float32], x: Any) -> tuple[Array[float32], None]:
    return carry * 2, None


def pair_step(carry: tuple[jax.Array, jax.Array], x: jax.Array) -> tuple[tuple[jax.Array, jax.Array], jax.Array]:
    return (carry[0] + x, carry[1]), x


def dict_step(carry: Params, x: jax.Array) -> tuple[Params, Params]:
    return carry, {"x": x}


def named_step(carry: Float32[D], x: Float32[D]) -> tuple[Float32[D], Float32[D]]:
    return carry + x, x


def given_step(params: Params, carry: jax.Array, x: jax.Array) -> tuple[jax.Array, Array[float32]]:
    return carry + params["w"].sum(), x.astype(jnp.float32)


def untyped_step(carry, x):
    return carry, x


def add_index(i: int, x: jax.Array) -> jax.Array:
    return x + i


def looping(x: Array[float32], p: Params, row: Float32[Literal[3]], rows: Float32[Literal[2], Literal[3]]) -> None:
    state = State(jnp.zeros(2), jnp.zeros((), int))
    reveal_type(lax.scan(step, state, rows[:, :2]))  # tuple[State, Array[bfloat16, Any]]
    reveal_type(lax.scan(array_step, jnp.zeros(3), rows))  # tuple[Array[Any, Any], Array[Any, Any]]
    reveal_type(lax.scan(array_step, 0.0, x))  # tuple[Array[Any, Any], Array[Any, Any]]
    reveal_type(lax.scan(array_step, np.zeros(3, np.float32), rows))  # tuple[Array[Any, Any], Array[Any, Any]]
    reveal_type(lax.scan(exact_step, jnp.zeros(3), None, length=3))  # tuple[Array[float32, Any], None]
    reveal_type(lax.scan(pair_step, (jnp.zeros(3), row), rows)[0])  # tuple[Array[Any, Any], Array[Any, Any]]
    reveal_type(lax.scan(pair_step, (0.0, row), x)[0])  # tuple[Array[Any, Any], Array[Any, Any]]
    reveal_type(lax.scan(dict_step, {"a": row, "b": x}, rows)[0])  # dict[str, Array[Any, Any]]
    reveal_type(lax.scan(named_step, row, rows)[1])  # Array[float32, Any]
    reveal_type(lax.scan(partial(given_step, p), x, rows))  # tuple[Array[Any, Any], Array[float32, Any]]
    reveal_type(lax.scan(untyped_step, x, rows))  # tuple[Any, Any]
    reveal_type(lax.scan(lambda c, y: (c + y, c), row, rows)[0])  # Any
    reveal_type(lax.scan(lambda c, y: ((c[0] + y, c[1]), None), (row, 0), rows)[1])  # None
    reveal_type(lax.scan(lambda s, y: step(s, y), state, rows[:, :2]))  # tuple[State, Array[bfloat16, Any]]
    reveal_type(lax.scan(jax.checkpoint(step), state, rows[:, :2]))  # tuple[State, Array[bfloat16, Any]]
    reveal_type(lax.fori_loop(0, 3, lambda i, y: y * 2, x))  # Array[float32, Any]
    reveal_type(lax.fori_loop(0, 3, lambda i, y: y + i, 0))  # Any
    reveal_type(lax.fori_loop(0, 3, add_index, jnp.zeros(3)))  # Array[Any, Any]
    reveal_type(lax.fori_loop(0, 3, lambda i, s: State(s.mean + i, s.step), state))  # State
    reveal_type(lax.while_loop(lambda y: y.sum() < 3, lambda y: y * 2, x))  # Array[float32, Any]
    reveal_type(lax.while_loop(lambda s: s[0] < 3, lambda s: (s[0] + 1, s[1]), (0, x)))  # tuple[Any, Any]
    reveal_type(lax.map(halve, rows))  # Array[bfloat16, Any]
    reveal_type(lax.map(lambda t: t[0] + t[1], (x, x)))  # Any
    reveal_type(lax.associative_scan(jnp.add, x))  # Array[float32, Any]
    (first, second), ys = lax.scan(pair_step, (row, row), rows)
    i, last = lax.while_loop(lambda s: s[0] < 3, lambda s: (s[0] + 1, s[1]), (0, x))
    final: State = lax.scan(step, state, rows[:, :2])[0]
    assert first.shape == second.shape == ys[0].shape and i.dtype == jnp.int32 and final.mean.ndim == last.ndim


def branching(x: Array[float32], half: Array[bfloat16]) -> None:
    state = State(x, x)
    reveal_type(lax.cond(True, lambda: x, lambda: x))  # Array[float32, Any]
    reveal_type(lax.cond(x.sum() > 0, lambda y: y, lambda y: y, half))  # Array[bfloat16, Any]
    reveal_type(lax.cond(True, lambda y: 0.0, lambda y: y.sum(), x))  # Any
    reveal_type(lax.cond(True, lambda y: (y, 1), lambda y: (y, 2), x))  # Any
    reveal_type(lax.cond(True, lambda _: x, lambda _: x, operand=None))  # Array[float32, Any]
    reveal_type(lax.cond(True, lambda s: s, lambda s: State(s.mean * 2, s.step), state))  # State
    reveal_type(lax.cond(True, add_index, lambda i, y: y, 3, x))  # Array[Any, Any]
    reveal_type(lax.cond(True, partial(add_index, 3), partial(add_index, 4), x))  # Array[Any, Any]
    reveal_type(lax.cond(True, jnp.sin, jnp.cos, x))  # Array[float32, Any]
    reveal_type(lax.cond(True, total, lambda y: y[0], x))  # Array[float32, Any]
    reveal_type(lax.switch(1, [lambda y: y, lambda y: y * 2], x))  # Array[float32, Any]
    reveal_type(lax.switch(1, (lambda: x, lambda: x)))  # Array[float32, Any]
    reveal_type(lax.switch(1, [partial(add_index, 3), partial(add_index, 4)], x))  # Array[Any, Any]


def of_either(x: Array[float32], either: jax.Array | float) -> None:
    """JAX mostly makes an array of what may be a number: nothing is said of the result."""
    reveal_type(lax.cond(True, lambda: either, lambda: either))  # Any
    reveal_type(lax.cond(True, lambda: x.sum(), lambda: either))  # Any
    reveal_type(lax.switch(1, [lambda: either, lambda: either]))  # Any
    reveal_type(lax.fori_loop(0, 3, lambda i, y: y, either))  # Any
    reveal_type(lax.while_loop(lambda y: y < 3, lambda y: y + 1, either))  # Any
    reveal_type(lax.scan(lambda c, y: (c, y), either, x)[0])  # Any
    assert lax.cond(True, lambda: either, lambda: either).shape == lax.scan(lambda c, y: (c + y, y), either, x)[0].shape


def trees(x: Array[float32], nested: dict[str, Any], host: np.ndarray) -> None:
    p, state = {"w": x}, State(x, x)
    reveal_type(jax.tree.map(lambda q: q.shape, p))  # dict[str, tuple[int, ...]]
    reveal_type(jax.tree.map(halve, p))  # dict[str, Array[bfloat16, Any]]
    reveal_type(jax.tree.map(lambda q, g: q - g, p, p))  # dict[str, Any]
    reveal_type(jax.tree.map(halve, [x, x]))  # list[Array[bfloat16, Any]]
    reveal_type(jax.tree.map(halve, nested))  # dict[str, Any]
    reveal_type(jax.tree.map(halve, state))  # Any
    reveal_type(jax.tree_util.tree_map(halve, x))  # Array[bfloat16, Any]
    reveal_type(jax.tree.map(lambda q: 1, p, is_leaf=lambda q: isinstance(q, dict)))  # Any
    leaves, definition = jax.tree.flatten(state)
    reveal_type(jax.tree.unflatten(definition, leaves))  # Any
    reveal_type(jax.tree.leaves(p))  # list[Any]
    reveal_type(jax.tree.reduce(lambda c, q: c + q.sum(), p, 0.0))  # Any
    reveal_type(lax.stop_gradient(p))  # dict[str, Array[float32, Any]]
    reveal_type(jax.block_until_ready(state))  # State
    reveal_type(jax.device_put(x))  # Array[float32, Any]
    reveal_type(jax.device_put(host))  # Array[Any, Any]
    reveal_type(jax.device_put(p))  # dict[str, Array[float32, Any]]
    reveal_type(jax.device_put({"host": host}))  # Any
    reveal_type(jax.device_get(x))  # ndarray[Any, Any]
    reveal_type(jax.pure_callback(np.sin, jax.ShapeDtypeStruct((2,), jnp.float32), x))  # Array[Any, Any]
    reveal_type(jax.tree.map(halve, Registered({"w": x})))  # Any
    own: Registered = jax.tree.map(halve, Registered({"w": x}))
    assert type(own) is Registered
    new: Params = jax.tree.map(lambda q: q * 2, p)
    moved: State = jax.tree.map(lambda q: q * 2, state)
    assert new["w"].shape == moved.mean.shape


def main() -> None:
    x, half = jnp.ones(2), jnp.ones(2, jnp.bfloat16)
    looping(x, {"w": x}, jnp.ones(3), jnp.ones((2, 3)))
    branching(x, half)
    of_either(x, 0.0)
    trees(x, {"a": x, "b": {"c": x}}, np.ones(2, np.float32))


if __name__ == "__main__" and not TYPE_CHECKING:
    main()
