"""A residual block at module level, its parameters in a dict of dicts."""

import jax
import jax.numpy as jnp

key = jax.random.PRNGKey(0)
k_in, k_hid, k_out, k_x = jax.random.split(key, 4)

params = {
    "encoder": {"kernel": jax.random.normal(k_in, (8, 16)), "bias": jnp.zeros(16)},
    "hidden": {"kernel": jax.random.normal(k_hid, (16, 16)), "bias": jnp.zeros(16)},
    "head": {"kernel": jax.random.normal(k_out, (16, 4)), "bias": jnp.zeros(4)},
}

x = jax.random.normal(k_x, (32, 8))
h = jax.nn.gelu(x @ params["encoder"]["kernel"] + params["encoder"]["bias"])
h = h + jax.nn.gelu(h @ params["hidden"]["kernel"] + params["hidden"]["bias"])
logits = h @ params["head"]["kernel"] + params["head"]["bias"]
probs = jax.nn.softmax(logits, axis=-1)
entropy = -jnp.sum(probs * jnp.log(probs + 1e-9), axis=-1)
print("mean entropy", entropy.mean())


def apply(params, x):
    h = jax.nn.gelu(x @ params["encoder"]["kernel"] + params["encoder"]["bias"])
    h = h + jax.nn.gelu(h @ params["hidden"]["kernel"] + params["hidden"]["bias"])
    return h @ params["head"]["kernel"] + params["head"]["bias"]


def loss(params, x, labels):
    log_probs = jax.nn.log_softmax(apply(params, x))
    return -jnp.take_along_axis(log_probs, labels[:, None], axis=1).mean()


labels = jnp.argmax(x[:, :4], axis=1)
grads = jax.grad(loss)(params, x, labels)
params = jax.tree.map(lambda p, g: p - 0.01 * g, params, grads)

head = params["head"]
new_logits = apply(params, x)
norms = {name: jnp.linalg.norm(layer["kernel"]) for name, layer in params.items()}
total = sum(layer["kernel"].size + layer["bias"].size for layer in params.values())
print("parameters", total, "kernel norms", norms, head["bias"].shape)
picked = jnp.take_along_axis(probs, labels[:, None], axis=1)
nll = -jnp.log(picked).squeeze(1)
print("first loss", nll.mean(), "then", loss(params, x, labels))
