"""Updates by x.at: a game of life, a histogram, PageRank, union of segments."""

import jax
import jax.numpy as jnp

board = jnp.zeros((16, 16), dtype=jnp.int32)
glider = jnp.array([[0, 1, 0], [0, 0, 1], [1, 1, 1]])
board = board.at[2:5, 2:5].set(glider)
board = board.at[10, 8:11].set(1)


def life(board):
    neighbours = sum(
        jnp.roll(board, (i, j), axis=(0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)
    )
    return ((neighbours == 3) | ((board == 1) & (neighbours == 2))).astype(board.dtype)


for _ in range(4):
    board = jax.jit(life)(board)
print("alive", board.sum())

key = jax.random.key(0)
samples = jax.random.normal(key, (1000,))
edges = jnp.linspace(-3.0, 3.0, 13)
bins = jnp.clip(jnp.digitize(samples, edges) - 1, 0, 11)
histogram = jnp.zeros(12).at[bins].add(1.0)
density = histogram / (histogram.sum() * jnp.diff(edges))
centers = (edges[1:] + edges[:-1]) / 2
mean = jnp.sum(centers * density * jnp.diff(edges))

links = jnp.array([[0, 1], [0, 2], [1, 2], [2, 0], [3, 2]])
adjacency = jnp.zeros((4, 4)).at[links[:, 0], links[:, 1]].set(1.0)
transition = adjacency / adjacency.sum(axis=1, keepdims=True)
rank = jnp.full(4, 0.25)
for _ in range(20):
    rank = 0.85 * rank @ transition + 0.15 / 4

segments = jnp.array([0, 0, 1, 2, 2, 2])
values = jnp.arange(6.0)
sums = jax.ops.segment_sum(values, segments, num_segments=3)
maxima = jnp.full(3, -jnp.inf).at[segments].max(values)
order = jnp.argsort(-rank)
sorted_rank = rank[order]
diagonal = jnp.diag_indices(4)
loops = adjacency.at[diagonal].set(1.0)
upper = loops.at[jnp.triu_indices(4, 1)].multiply(2.0)
print(mean, rank, sums, maxima, sorted_rank, upper.sum())
