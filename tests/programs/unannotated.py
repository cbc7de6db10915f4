"""Compiled functions without annotations, some of which pass trees through a library whose types are wide.

What they return is known where it is arrays: lines that end in "error in pyright" run, and are errors there.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeAlias, TypeVar

import jax
import jax.numpy as jnp

T = TypeVar("T")
Tree: TypeAlias = "jax.Array | float | Iterable[Tree] | Mapping[Any, Tree]"


def halved(tree: Tree) -> Tree:
    return jax.tree.map(lambda leaf: leaf / 2, tree)


@jax.jit
def step(params, x):
    return halved(params), jnp.sum(x)


@partial(jax.jit, static_argnames="scale")
def scaled(params, x, scale=2.0):
    return halved(params), x * scale


@jax.jit
def constant(x):
    return 1.0


@jax.jit
def summary(x):
    return State(jnp.sum(x)), [jnp.max(x), None]


@jax.jit
def both(x: T, y: T) -> tuple[T, T]:
    return y, x


@jax.tree_util.register_dataclass
@dataclass
class State:
    total: jax.Array


class Trainer(NamedTuple):
    rate: float = 0.1

    @partial(jax.jit, static_argnums=0)
    def step(self, params, x):
        return halved(params), jnp.sum(x)

    @jax.jit
    def largest(self, x):
        return jnp.max(x)


params = {"w": jnp.ones(3)}
x = jnp.ones((2, 3))
after, loss = step(params, x)
print(x @ after["w"], loss + 1)
after, loss = scaled(params, x=x)
print(x @ after["w"], loss + 1)
after, loss = Trainer().step(params, x)
print(x @ after["w"], loss + 1)
print(constant(x).dtype)
print(both(x, x)[0] @ params["w"])

state, rest = summary(x)
wrong_total: str = state.total  # error in pyright
wrong_largest: str = Trainer().largest(x)  # error in pyright
