"""Logistic regression with optax, a script without annotations."""

import jax
import jax.numpy as jnp
import numpy as np
import optax

np.random.seed(0)
features = np.random.randn(128, 5).astype(np.float32)
true_w = np.array([1.5, -2.0, 0.0, 0.7, 0.1], dtype=np.float32)
labels = (features @ true_w > 0).astype(np.float32)

X = jnp.array(features)
y = jnp.array(labels)
gram = X.T @ X / len(X)
print("condition number", jnp.linalg.cond(gram))

params = {"w": jnp.zeros(5), "b": jnp.zeros(())}


def loss_fn(params, X, y):
    logits = X @ params["w"] + params["b"]
    return optax.sigmoid_binary_cross_entropy(logits, y).mean()


schedule = optax.cosine_decay_schedule(0.1, decay_steps=20)
tx = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(schedule))
opt_state = tx.init(params)


@jax.jit
def step(params, opt_state, X, y):
    loss, grads = jax.value_and_grad(loss_fn)(params, X, y)
    updates, opt_state = tx.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss


losses = []
for epoch in range(20):
    params, opt_state, loss = step(params, opt_state, X, y)
    losses.append(loss)

history = jnp.stack(losses)
margins = X @ params["w"] + params["b"]
scores = jax.nn.sigmoid(margins)
predictions = (scores > 0.5).astype(jnp.float32)
true_positive = jnp.sum(predictions * y)
precision = true_positive / jnp.maximum(predictions.sum(), 1.0)
recall = true_positive / y.sum()
weighted = (scores[:, None] * X).mean(axis=0)
print("loss", history[0], "->", history[-1])
print("precision", precision, "recall", recall, "weighted mean", weighted)
