"""What jaxtyping's annotations declare, and calls that contradict it. Lines end in a comment with a part of what is said there."""

import dataclasses
from collections.abc import Callable, Iterator
from typing import NamedTuple, Optional, Union

import equinox as eqx
import jax
import jax.numpy as jnp
import jaxtyping as jt
from beartype import beartype
from jaxtyping import Array, Bool, Float, Int, Key, PRNGKeyArray, PyTree, Shaped, jaxtyped

Batch = Float[Array, "b d"]


def dense(x: Batch, w: Float[Array, "d h"]) -> Float[Array, "b h"]:
    return x @ w


def swapped(x: Batch) -> Float[Array, "d b"]:
    return x  # says: "swapped" returns float32[2, 3] for x: float32[2, 3]; expected Float[Array, "d b"], here [3, 2]


def counts(x: Float[Array, "n"]) -> Int[Array, "n"]:
    return jnp.sum(x, keepdims=True)  # says: "counts" returns float32[1] for x: float32[4]; expected Int[Array, "n"]


x23, x34 = jnp.ones((2, 3)), jnp.ones((3, 4))
dense(x23, x34)
swapped(x23)
counts(jnp.ones(4))
dense(x23, x23)  # says: Argument "w" of "dense" is float32[2, 3] with x: float32[2, 3]; expected Float[Array, "d h"], here [3, h]
dense(x34[0], w=x34)  # says: Argument "x" of "dense" is float32[4]
swapped(jnp.ones((5, 5)))
jax.jit(dense)(x23, x23)  # says: Argument "w" of "dense"
jax.jit(dense)(x23.astype(int), x34)  # says: Argument "x" of "dense" is int32[2, 3]


# Modifiers, sizes and expressions.


def modified(
    fixed: Float[Array, "2 3"],
    named: Float[Array, "rows=2 _"],
    several: Float[Array, "*batch d"],
    wide: Float[Array, "#rows d"],
    any_rank: Float[Array, "..."],
    summed: Float[Array, "rows+d"],
    size: int,
    of_size: Float[Array, "{size} 2*{size}"],
) -> Float[Array, "*batch d*2"]:
    return jnp.concatenate([several, several], axis=-1)


modified(x23, x23, jnp.ones((4, 2, 5)), jnp.ones((1, 5)), x23, jnp.ones(7), 3, jnp.ones((3, 6)))
modified(x34, x23, jnp.ones((4, 2, 5)), jnp.ones((1, 5)), x23, jnp.ones(7), 3, jnp.ones((3, 6)))  # says: "fixed"


def summed(x: Float[Array, "n"], y: Float[Array, "m"]) -> Float[Array, "n+m-1"]:
    return jnp.concatenate([x, y])  # says: expected Float[Array, "n+m-1"], here [6]


def sized(size: int, x: Float[Array, "{size}"]) -> None: ...


class Grid:
    def __init__(self, width: int) -> None:
        self.width = width

    def row(self, x: Float[Array, "{self.width}"]) -> Float[Array, ""]:
        return x  # says: "Grid.row" returns float32[3] for x: float32[3]; expected Float[Array, ""]


summed(jnp.ones(3), jnp.ones(4))
sized(3, jnp.ones(3))
sized(4, jnp.ones(3))  # says: expected Float[Array, "{size}"], here [4]
Grid(3).row(jnp.ones(3))
Grid(4).row(jnp.ones(3))  # says: Argument "x" of "Grid.row" is float32[3]; expected Float[Array, "{self.width}"], here [4]


# Containers, unions, texts.


def inside(
    pair: tuple[Float[Array, "n"], Float[Array, "n"]],
    table: dict[str, Float[Array, "n"]],
    *more: Float[Array, "n"],
    **named: "Float[Array, 'n']",
) -> None: ...


def either(
    x: Optional[Float[Array, "n"]], y: Union[Float[Array, "n"], float, None] = None
) -> "jt.Float[Array, 'n']":
    return jnp.ones(3) if x is None else x


def trees(
    x: PyTree[Float[Array, "?n"], "T"], y: PyTree[Float[Array, "?n"], "T"]
) -> PyTree[Float[Array, ""], "T"]:
    return jax.tree.map(lambda a, b: a @ b, x, y)


ones = jnp.ones(3)
inside((ones, ones), {"a": ones}, ones, b=ones)
inside((ones, ones), {"a": jnp.ones(4)})  # says: Argument "table['a']" of "inside" is float32[4]
inside((ones, ones), {}, ones, jnp.ones(4))  # says: Argument "more" of "inside" is float32[4]
inside((ones, ones), {}, b=jnp.ones(4))  # says: Argument "named" of "inside" is float32[4]
either(None)
either(ones, 2.0)
either(ones, jnp.ones(4))  # says: Argument "y" of "either" is float32[4]
trees({"a": ones, "b": jnp.ones(2)}, {"a": ones, "b": jnp.ones(2)})
trees({"a": ones, "b": jnp.ones(2)}, {"a": ones, "b": ones})  # says: Argument "y['b']" of "trees" is float32[3]


def keys(key: PRNGKeyArray, old: Key[Array, ""], mask: Bool[Array, "n"]) -> Shaped[Array, "n"]:
    return mask


keys(jax.random.key(0), jax.random.key(1), ones > 0)
keys(jax.random.PRNGKey(0), jax.random.key(1), ones)  # says: Argument "mask" of "keys" is float32[3]


# Decorators that check at run time change nothing.


@jaxtyped(typechecker=beartype)
def checked(x: Float[Array, "n"]) -> Float[Array, "n n"]:
    return jnp.outer(x, x)[:1]  # says: "checked" returns float32[1, 3]


@jaxtyped
@beartype
def also_checked(x: Float[Array, "n"]) -> Float[Array, "n n"]:
    return jnp.outer(x, x)


checked(ones)
also_checked(jnp.ones((3, 3)))  # says: "x" of "also_checked"


# Fields.


@dataclasses.dataclass
class Gaussian:
    mean: Float[Array, "d"]
    cov: "Float[Array, 'd d']"


class Pair(NamedTuple):
    one: Float[Array, "n"]
    other: Float[Array, "n"]


class Layer(eqx.Module):
    w: Float[Array, "d h"]
    b: Float[Array, "h"]

    def __init__(self, sizes: tuple[int, int], biases: int) -> None:
        self.w, self.b = jnp.ones(sizes), jnp.ones(biases)

    def __call__(self, x: Float[Array, "d"]) -> Float[Array, "h"]:
        return x @ self.w + self.b


Gaussian(ones, jnp.eye(3))
Gaussian(ones, jnp.eye(4))  # says: Field "cov" of "Gaussian" is float32[4, 4]; expected Float[Array, "d d"], here [3, 3]
Pair(ones, ones)
Pair(ones, jnp.ones(4))  # says: Field "other" of "Pair" is float32[4]
layer = Layer((3, 2), 2)
jax.vmap(layer)(jnp.ones((5, 3)))
Layer((3, 2), 3)  # says: Field "b" of "Layer" is float32[3]


# Generators, variables, functions within each other, transformations.


def batches(x: Float[Array, "n d"], size: int) -> Iterator[Float[Array, "b d"]]:
    for start in range(0, 6, size):
        yield x[start : start + size]
    yield x[:, 0]  # says: "batches" yields float32[6] for x: float32[6, 2]


def variables(x: Float[Array, "n"]) -> None:
    right: Float[Array, "n n"] = jnp.outer(x, x)
    wrong: Float[Array, "n"] = jnp.outer(x, x)  # says: wrong is float32[3, 3] for x: float32[3]; expected Float[Array, "n"], here [3]


def outer(x: Float[Array, "n d"]) -> Float[Array, "n"]:
    def norm(row: Float[Array, "d"]) -> Float[Array, ""]:
        return jnp.abs(row)  # says: "norm" returns float32[2] for row: float32[2]; expected Float[Array, ""]

    return jax.vmap(norm)(x).sum(1)


for batch in batches(jnp.ones((6, 2)), 4):
    print(batch)
variables(ones)
outer(jnp.ones((4, 2)))
jax.grad(lambda w: dense(x23, w).sum())(x34)
jax.lax.scan(lambda c, row: (c, dense(row[None], x34)), 0.0, jnp.ones((5, 3)))
jax.lax.scan(lambda c, row: (c, dense(row[None, :2], x34)), 0.0, jnp.ones((5, 3)))  # says: "w" of "dense"


# What is not certain is not said.


def unknown_size(x: Float[Array, "n"], y: Float[Array, "n"]) -> Float[Array, "n"]:
    return x[x > 0]


def maybe(x: Float[Array, "n"]) -> Float[Array, "n"]:
    if open("data.txt").read():
        return x[:-1]
    return x


def unreadable(
    x: "Float[Array, 'n'", y: Float[Array, "n"], f: Callable[[Float[Array, "n"]], Float[Array, "m"]]
) -> None: ...


unknown_size(ones, ones)
maybe(ones)
unreadable(ones, ones, lambda x: x)
try:
    dense(x23, x23)
except Exception:
    print("as expected")
if open("data.txt").read():
    dense(x23, x23)
