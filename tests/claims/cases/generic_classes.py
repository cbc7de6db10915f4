"""Classes with type parameters."""

# one python

from dataclasses import dataclass
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp


class Linear[I, O](eqx.Module):
    weight: jax.Array
    def __init__(self, i: int, o: int):
        self.weight = jnp.ones((o, i))
    def __call__(self, x):
        return self.weight @ x


# %% a generic module
x = Linear(3, 4)(jnp.ones(3))  # P: x: float32[4]


# %% a class that is derived from a generic one
class Twice[I](Linear[I, I]):
    pass
x = Twice(3, 3)(jnp.ones(3))  # P: x: float32[3]  # P(plugin): x: ?  # E(plugin): call: Too many arguments


# %% a class with a parameter that is named
class Box[T]:
    def __init__(self, of: T): self.of = of
x = Box[int](jnp.ones(3)).of  # P: x: float32[3]  # P(plugin): x: ?


# %% a class with any number of parameters
class Box[*Ts]:
    of = jnp.ones(2)
x = Box[int, str]().of  # P: x: float32[2]


# %% a generic dataclass
@dataclass
class Pair[T]:
    a: T
    b: T
x = Pair(1, jnp.ones(3)).b  # P: x: float32[3]  # P(plugin): x: ?


# %% a generic named tuple
class Pair[T](NamedTuple):
    a: T
    b: T
_, x = Pair(1, jnp.ones(3))  # P: x: float32[3]  # P(plugin): x: ?
