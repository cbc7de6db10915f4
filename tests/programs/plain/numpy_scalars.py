"""Numbers of NumPy's arrays: with numbers of Python's that only a run knows they are NumPy's, whose dtypes are not weak."""

import sys

import jax
import jax.numpy as jnp
import numpy as np

LEVELS = np.array([2, 6, 11, 14, 17])
weights = jnp.ones(3, jnp.bfloat16)


def angle(time):
    if time < LEVELS[0]:
        return weights
    if time < LEVELS[1]:
        slope = 4.0 * (time - LEVELS[0]) / (LEVELS[1] - LEVELS[0]) + 4.0
        return weights * slope
    return weights


def scaled(n, rate):
    ints = weights * (n - LEVELS[0])
    doubled = weights * ((n * LEVELS[0]) + 1.0)
    half = weights * (n * np.float64(0.5))
    single = weights * (np.float32(2) * n)
    rated = weights * (rate * LEVELS[0])
    rows = jnp.asarray(np.arange(12.0)[:n]).shape[0]
    by_rows = weights * (rows * np.int64(2) * 1.5)
    counts = jnp.ones(3, jnp.int8) * (n * LEVELS[1])
    return ints, doubled, half, single, rated, by_rows, counts


def sizes(starts):
    zeros = jnp.zeros((3, starts[0]))
    head = jnp.ones((9, 5))[: starts[1]]
    steps = jnp.arange(starts[2])
    narrow = jnp.arange(starts.astype(np.int8)[2])
    chosen = [zeros, zeros + 1][starts[3] % 2]
    return zeros, head, steps, narrow, chosen


inside, columns = jnp.arange(6) > 2, jnp.arange(4) < 1


@jax.jit
def masked(x):
    cleared = x.at[inside].set(0.0)
    moved = x.at[inside, 0].set(x[inside, 1])
    summed = cleared.at[:, columns].add(1)
    return moved + summed


count = len(sys.argv) + 3
bent = angle(count)
early = angle(count - 3)
results = scaled(count, float(count))
pieces = sizes(np.random.default_rng(0).integers(1, 5, size=7))
grid = jnp.ones((6, 4))
for _ in range(count):
    grid = masked(grid)
ready = grid[0][0].block_until_ready()
