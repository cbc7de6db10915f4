"""Message passing on a graph in a named tuple, with sums over incoming edges."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PyTree


class Graph(NamedTuple):
    nodes: Float[Array, "n f"]
    edges: Float[Array, "e g"]
    senders: Int[Array, "e"]
    receivers: Int[Array, "e"]


def messages(
    sent: Float[Array, "e f"],
    received: Float[Array, "e f"],
    edges: Float[Array, "e g"],
    w: Float[Array, "2*f+g h"],
) -> Float[Array, "e h"]:
    return jax.nn.relu(jnp.concatenate([sent, received, edges], axis=-1) @ w)


def aggregate(values: Float[Array, "e h"], receivers: Int[Array, "e"], n: int) -> Float[Array, "{n} h"]:
    return jax.ops.segment_sum(values, receivers, num_segments=n)


def update(params: dict[str, Float[Array, "_ _"]], graph: Graph) -> Graph:
    n = graph.nodes.shape[0]
    sent = graph.nodes[graph.senders]
    received = graph.nodes[graph.receivers]
    pooled = aggregate(messages(sent, received, graph.edges, params["edge"]), graph.receivers, n)
    nodes = graph.nodes + jnp.tanh(pooled @ params["node"])
    return graph._replace(nodes=nodes)


def readout(nodes: Float[Array, "n f"]) -> Float[Array, "f"]:
    return nodes.mean(axis=0)


def weight_decay(params: PyTree[Float[Array, "..."]]) -> Float[Array, ""]:
    return sum((jnp.sum(p**2) for p in jax.tree.leaves(params)), start=jnp.zeros(()))


keys = jax.random.split(jax.random.key(0), 4)
graph = Graph(
    nodes=jax.random.normal(keys[0], (5, 3)),
    edges=jax.random.normal(keys[1], (8, 2)),
    senders=jnp.array([0, 1, 2, 3, 4, 0, 1, 2]),
    receivers=jnp.array([1, 2, 3, 4, 0, 2, 3, 4]),
)
params = {"edge": jax.random.normal(keys[2], (8, 6)), "node": jax.random.normal(keys[3], (6, 3))}
for _ in range(2):
    graph = update(params, graph)
print(readout(graph.nodes), weight_decay(params))
