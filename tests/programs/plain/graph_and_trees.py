"""A graph network by segment sums, and a recursive network over nested tuples."""

from collections import namedtuple

import jax
import jax.numpy as jnp
import numpy as np

Graph = namedtuple("Graph", "nodes edges senders receivers n_node")
WIDTH = 8


def ring(n, rng):
    senders = np.arange(n)
    receivers = (senders + 1) % n
    return Graph(
        nodes=rng.normal(size=(n, 3)).astype("f4"),
        edges=rng.normal(size=(n, 2)).astype("f4"),
        senders=senders,
        receivers=receivers,
        n_node=n,
    )


def batch(graphs):
    offsets = np.cumsum([0] + [g.n_node for g in graphs])[:-1]
    return Graph(
        nodes=np.concatenate([g.nodes for g in graphs]),
        edges=np.concatenate([g.edges for g in graphs]),
        senders=np.concatenate([g.senders + o for g, o in zip(graphs, offsets)]),
        receivers=np.concatenate([g.receivers + o for g, o in zip(graphs, offsets)]),
        n_node=np.array([g.n_node for g in graphs]),
    )


def dense(key, n_in, n_out=WIDTH):
    return jax.random.normal(key, (n_in, n_out)) / jnp.sqrt(n_in), jnp.zeros((n_out,))


def linear(p, *inputs):
    w, b = p
    return jnp.concatenate(inputs, axis=-1) @ w + b


def message_pass(params, graph):
    sent, received = graph.nodes[graph.senders], graph.nodes[graph.receivers]
    edges = jax.nn.relu(linear(params["edge"], graph.edges, sent, received))
    total = jax.ops.segment_sum(edges, graph.receivers, graph.nodes.shape[0])
    nodes = jax.nn.relu(linear(params["node"], graph.nodes, total))
    return graph._replace(nodes=nodes, edges=edges)


def readout(params, graph):
    owner = jnp.repeat(
        jnp.arange(len(graph.n_node)), graph.n_node, total_repeat_length=graph.nodes.shape[0]
    )
    summed = jax.ops.segment_sum(graph.nodes, owner, len(graph.n_node))
    return linear(params["out"], summed)[:, 0]


def network(params, graph):
    for p in params["layers"]:
        graph = message_pass(p, graph)
    return readout(params, graph)


def leaf(word):
    table = {"good": 0, "bad": 1, "not": 2, "very": 3}
    return table[word]


def compose(params, tree):
    if isinstance(tree, str):
        return params["words"][leaf(tree)]
    left, right = (compose(params, branch) for branch in tree)
    return jnp.tanh(linear(params["join"], left, right))


def depth(tree):
    return 0 if isinstance(tree, str) else 1 + max(depth(b) for b in tree)


keys = jax.random.split(jax.random.PRNGKey(0), 8)
params = {
    "layers": [
        {"edge": dense(keys[0], 2 + 3 + 3), "node": dense(keys[1], 3 + WIDTH)},
        {"edge": dense(keys[2], 3 * WIDTH), "node": dense(keys[3], 2 * WIDTH)},
    ],
    "out": dense(keys[4], WIDTH, 1),
    "words": jax.random.normal(keys[5], (4, WIDTH)),
    "join": dense(keys[6], 2 * WIDTH),
}
rng = np.random.default_rng(0)
graphs = batch([ring(n, rng) for n in (3, 5, 4)])
outputs = network(params, graphs)
updated = message_pass(params["layers"][0], graphs)
grads = jax.grad(lambda p: network(p, graphs).sum())(params)
w, b = grads["layers"][1]["edge"]
adjacency = jnp.zeros((12, 12)).at[graphs.senders, graphs.receivers].set(1)
degree = adjacency.sum(0)
laplacian = jnp.diag(degree) - (adjacency + adjacency.T) / 2
trees = [("very", "good"), ("not", ("very", "bad")), "good"]
vectors = jnp.stack([compose(params, t) for t in trees])
depths = jnp.array([depth(t) for t in trees])
sentiment = jax.nn.sigmoid(vectors @ params["words"][0] / depths.clip(1))
print(outputs, updated.nodes.shape, w.shape, b.shape, laplacian.shape, sentiment, depths)
