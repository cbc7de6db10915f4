import flax.linen as nn
import jax
import jax.numpy as jnp
import jraph

graph = jraph.GraphsTuple(
    n_node=jnp.array([3]),
    n_edge=jnp.array([2]),
    nodes=jnp.ones((3, 4)),
    edges=jnp.ones((2, 5)),
    globals=jnp.ones((1, 6)),
    senders=jnp.array([0, 1]),
    receivers=jnp.array([2, 2]),
)
two = jraph.batch([graph, graph])
nodes = two.nodes
s = jraph.segment_sum(jnp.ones((2, 5)), jnp.array([0, 1]), 3)


@jraph.concatenated_args
def update(feats):
    return feats @ jnp.ones((feats.shape[-1], 7))


net = jraph.GraphNetwork(update_node_fn=update, update_edge_fn=update, update_global_fn=update)
out = net(graph)
on = out.nodes
og = out.globals


class Model(nn.Module):
    @nn.compact
    def __call__(self, graph):
        embed = jraph.GraphMapFeatures(nn.Dense(8), nn.Dense(8), nn.Dense(8))
        graph = embed(graph)
        conv = jraph.GraphConvolution(update_node_fn=nn.Dense(16))
        return conv(graph)


model = Model()
params = model.init(jax.random.key(0), graph)
result = model.apply(params, graph)
rn = result.nodes
