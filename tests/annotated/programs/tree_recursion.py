"""Recursive networks over binary trees: the structure is Python's, the values are arrays."""

from __future__ import annotations

from dataclasses import dataclass

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int


@dataclass
class Leaf:
    token: int


@dataclass
class Node:
    left: Tree
    right: Tree


Tree = Leaf | Node


def compose(
    left: Float[Array, " d"], right: Float[Array, " d"], w: Float[Array, "2*d d"]
) -> Float[Array, " d"]:
    return jnp.tanh(jnp.concatenate([left, right]) @ w)


def encode(tree: Tree, table: Float[Array, "vocab d"], w: Float[Array, "2*d d"]) -> Float[Array, " d"]:
    if isinstance(tree, Leaf):
        return table[tree.token]
    return compose(encode(tree.left, table, w), encode(tree.right, table, w), w)


def depth(tree: Tree) -> int:
    return 0 if isinstance(tree, Leaf) else 1 + max(depth(tree.left), depth(tree.right))


def encode_all(
    trees: list[Tree], table: Float[Array, "vocab d"], w: Float[Array, "2*d d"]
) -> Float[Array, "n d"]:
    return jnp.stack([encode(tree, table, w) for tree in trees])


def loss(
    params: dict[str, Float[Array, "_ _"]], trees: list[Tree], labels: Int[Array, " n"]
) -> Float[Array, ""]:
    codes = encode_all(trees, params["table"], params["w"])
    log_probs = jax.nn.log_softmax(codes @ params["readout"])
    return -log_probs[jnp.arange(labels.shape[0]), labels].mean()


table_key, w_key, readout_key = jax.random.split(jax.random.key(0), 3)
params = {
    "table": jax.random.normal(table_key, (5, 3)),
    "w": jax.random.normal(w_key, (6, 3)),
    "readout": jax.random.normal(readout_key, (3, 2)),
}
small = Node(Leaf(0), Leaf(4))
trees: list[Tree] = [small, Node(small, Leaf(2)), Node(Node(Leaf(1), small), Leaf(3)), Leaf(1)]
value, grads = jax.value_and_grad(loss)(params, trees, jnp.array([0, 1, 1, 0]))
print([depth(tree) for tree in trees], value, jnp.linalg.norm(grads["w"]))
