"""Classification of blobs by a network of (W, b) pairs, written without annotations."""

import jax
import jax.numpy as jnp
from jax import grad, jit, random
from jax.scipy.special import logsumexp


def init_layer(key, n_in, n_out, scale=0.1):
    w_key, b_key = random.split(key)
    return scale * random.normal(w_key, (n_out, n_in)), scale * random.normal(b_key, (n_out,))


def init_network(key, sizes):
    keys = random.split(key, len(sizes) - 1)
    return [init_layer(k, m, n) for k, m, n in zip(keys, sizes[:-1], sizes[1:])]


def predict(params, image):
    activations = image
    for w, b in params[:-1]:
        activations = jax.nn.relu(jnp.dot(w, activations) + b)
    w, b = params[-1]
    logits = jnp.dot(w, activations) + b
    return logits - logsumexp(logits)


batched_predict = jax.vmap(predict, in_axes=(None, 0))


def loss(params, images, targets):
    return -jnp.mean(batched_predict(params, images) * targets)


@jit
def update(params, images, targets, lr=0.5):
    grads = grad(loss)(params, images, targets)
    return [(w - lr * dw, b - lr * db) for (w, b), (dw, db) in zip(params, grads)]


key = random.PRNGKey(42)
key, center_key, noise_key, init_key = random.split(key, 4)
num_classes, dim = 3, 2

labels = jnp.arange(90) % num_classes
centers = random.normal(center_key, (num_classes, dim)) * 3.0
points = centers[labels] + 0.3 * random.normal(noise_key, (90, dim))
one_hot = jax.nn.one_hot(labels, num_classes)

mean = points.mean(axis=0)
std = points.std(axis=0)
points = (points - mean) / std

params = init_network(init_key, [dim, 8, num_classes])
for epoch in range(10):
    params = update(params, points, one_hot)

log_probs = batched_predict(params, points)
predicted = jnp.argmax(log_probs, axis=1)
accuracy = jnp.mean(predicted == labels)
confusion = jnp.zeros((num_classes, num_classes), dtype=jnp.int32).at[labels, predicted].add(1)
print("accuracy", accuracy)
print(confusion)
