"""Images and labels of an archive of NumPy's, in batches."""

import tempfile
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np


def write(path):
    rng = np.random.default_rng(0)
    images = rng.integers(0, 255, (96, 8, 8), dtype="uint8")
    np.savez(path, images=images, labels=images.mean((1, 2)) // 26, halves=images[0].astype("float16"))


def load(path):
    with np.load(path) as archive:
        images = archive["images"].astype("float32") / 255.0
        labels = archive["labels"].astype("int32")
    halves = np.load(path)["halves"]
    return images.reshape(-1, 64), labels, halves


def batches(images, labels, size, rng):
    order = rng.permutation(len(images))
    for start in range(0, len(images) - size + 1, size):
        rows = order[start : start + size]
        yield images[rows], labels[rows]


@jax.jit
def step(params, images, labels):
    def loss_fn(params):
        logits = images @ params["w"] + params["b"]
        hits = jax.nn.one_hot(labels, 10) * jax.nn.log_softmax(logits)
        return -hits.sum(-1).mean()

    loss, grads = jax.value_and_grad(loss_fn)(params)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), loss


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "digits.npz"
        write(path)
        images, labels, halves = load(path)
    params = {"w": jnp.zeros((64, 10)), "b": jnp.zeros(10)}
    rng = np.random.default_rng(1)
    for x, y in batches(images, labels, 32, rng):
        x, y = jnp.asarray(x), jnp.asarray(y)
        params, loss = step(params, x, y)
    brightest = jnp.argmax(x.sum(-1))
    wide = jnp.asarray(halves)
    shifted = labels + 0.5
    weak = jnp.asarray(shifted) * jnp.bfloat16(2)
    print(loss, brightest, wide.dtype, weak.dtype)


if __name__ == "__main__":
    main()
