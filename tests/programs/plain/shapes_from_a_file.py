"""Products with weights from a file, whose rank only a run knows: a scalar would go with everything, what fits does not."""

import os
import tempfile

import jax
import jax.numpy as jnp
import numpy as np

folder = tempfile.mkdtemp()
for name, shape in (("gain", (9,)), ("mixing", (9, 6)), ("rows", (8, 7)), ("kernels", (5, 2, 3, 4, 9)), ("taps", (8,))):
    np.save(os.path.join(folder, name), np.random.default_rng(0).normal(size=shape).astype(np.float32))


def load(name):
    return np.load(os.path.join(folder, name + ".npy"))


features = jnp.ones((2, 3, 4, 9))
gain, mixing, rows = load("gain"), load("mixing"), load("rows")
scores = jnp.dot(features, gain)
mixed = jnp.dot(features, mixing)
inner = jnp.inner(np.ones((3, 9)), gain)
weights = np.arange(9)
total = jnp.dot(weights, gain)
swapped = jnp.dot(np.ones((2, 4, 5, 8)), rows)

# Arrays that a function has seen from where it stands, or makes itself.
basis = jnp.ones((5, 7))
coefficients = jax.lax.map(lambda row: jnp.dot(basis, row), rows)


def projected(row):
    directions = jnp.full((11, 7), 0.5)
    return jnp.dot(directions, row)


images = jax.lax.map(projected, rows)
_, steps = jax.lax.scan(lambda carry, row: (carry + 1, jnp.dot(np.ones((5, 7)), row)), 0, rows)


class Projection:
    def __init__(self):
        self.matrix = jnp.ones((3, 7))

    def __call__(self, row):
        image = jnp.dot(self.matrix, row)
        return image


projections = jax.lax.map(Projection(), rows)

# NumPy's own products, and what broadcasts beyond the ranks of others.
kernels = np.asarray(load("kernels"), dtype=np.float32)
taps = np.asarray(load("taps"), dtype=np.float32)
scaled = jnp.asarray(np.random.rand(2, 3, 4, 9) * kernels)
filtered = jnp.asarray(np.dot(np.ones(8), taps))
listed = jnp.asarray(np.dot([0.1] * 8, taps))
blurred = jnp.asarray(np.inner(np.ones((2, 3, 4, 8)), taps))
print(scores.shape, mixed.shape, coefficients.shape, images.shape, projections.shape, scaled.shape, blurred.shape)
