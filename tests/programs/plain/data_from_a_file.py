"""Layers of Equinox and Flax on data of which only the file knows what it is: sizes, classes, batches."""

import pickle
import tempfile
from pathlib import Path

import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx

folder = tempfile.TemporaryDirectory()
path = Path(folder.name) / "digits.pkl"
random = np.random.default_rng(0)
path.write_bytes(
    pickle.dumps(
        {
            "images": random.random((12, 1, 14, 14), np.float32),
            "labels": random.integers(0, 5, 12),
            "classes": 5,
            "words": ["to", "be", "or", "not"],
        }
    )
)
data = pickle.loads(path.read_bytes())
images, labels, classes = data["images"], data["labels"], data["classes"]
words = sorted(set(data["words"]))
key = jax.random.key(0)


class Convolutions(eqx.Module):
    layers: list

    def __init__(self, key):
        first, second = jax.random.split(key)
        self.layers = [
            eqx.nn.Conv2d(1, 3, kernel_size=3, key=first),
            eqx.nn.MaxPool2d(2, stride=2),
            jax.nn.relu,
            jnp.ravel,
            eqx.nn.Linear(108, 7, key=second),
        ]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def mean_loss(model, x, y):
    logits = jax.vmap(model)(x)
    return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()


convolutions = Convolutions(key)
features = jax.vmap(convolutions)(images)
optimizer = optax.adam(1e-2)
state = optimizer.init(eqx.filter(convolutions, eqx.is_inexact_array))
for start in range(0, len(images), 4):
    batch, wanted = images[start : start + 4], labels[start : start + 4]
    loss, grads = eqx.filter_value_and_grad(mean_loss)(convolutions, batch, wanted)
    updates, state = optimizer.update(grads, state)
    convolutions = eqx.apply_updates(convolutions, updates)
slope = grads.layers[0].weight


class Classifier(nn.Module):
    classes: int

    @nn.compact
    def __call__(self, tokens):
        x = nn.Embed(self.classes, 8)(tokens)
        x = nn.LayerNorm()(nn.relu(nn.Dense(6)(x)))
        return nn.Dense(self.classes)(x)


tokens = jnp.zeros((3, 4), jnp.int32)
variables = Classifier(len(words)).init(key, tokens)
scores = Classifier(len(words)).apply(variables, tokens)
count = len(variables["params"])
per_layer = jnp.zeros(count)

rngs = nnx.Rngs(0)
wide = nnx.Linear(classes, 9, rngs=rngs)
narrow = nnx.Linear(9, classes, rngs=rngs)
norm = nnx.BatchNorm(classes, rngs=rngs)
hidden = nnx.relu(wide(jnp.ones((2, classes))))
out = norm(narrow(hidden))
kernel = wide.kernel[...]
running = norm.mean[...]
direct = wide(jax.nn.one_hot(labels, classes))
folder.cleanup()
print(
    features.shape, loss, slope.shape, scores.shape, per_layer.shape, out.shape, kernel.shape, running.shape
)
