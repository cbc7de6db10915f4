"""Multi-head attention spelled with einsum, as a notebook would have it."""

import jax
import jax.numpy as jnp

B, T, D, H = 2, 5, 12, 3
K = D // H

keys = jax.random.split(jax.random.PRNGKey(0), 6)
x = jax.random.normal(keys[0], (B, T, D))
Wq = jax.random.normal(keys[1], (D, H, K)) / jnp.sqrt(D)
Wk = jax.random.normal(keys[2], (D, H, K)) / jnp.sqrt(D)
Wv = jax.random.normal(keys[3], (D, H, K)) / jnp.sqrt(D)
Wo = jax.random.normal(keys[4], (H, K, D)) / jnp.sqrt(D)

q = jnp.einsum("btd,dhk->bhtk", x, Wq)
k = jnp.einsum("btd,dhk->bhtk", x, Wk)
v = jnp.einsum("btd,dhk->bhtk", x, Wv)
scores = jnp.einsum("bhtk,bhsk->bhts", q, k) * K**-0.5
allowed = jnp.tril(jnp.ones((T, T), dtype=bool))
scores = jnp.where(allowed, scores, jnp.finfo(scores.dtype).min)
weights = jax.nn.softmax(scores, axis=-1)
heads = jnp.einsum("bhts,bhsk->bhtk", weights, v)
out = jnp.einsum("bhtk,hkd->btd", heads, Wo)

assert jnp.allclose(weights.sum(-1), 1.0, atol=1e-5)


def head_by_head(x):
    outs = []
    for h in range(H):
        q, k, v = x @ Wq[:, h], x @ Wk[:, h], x @ Wv[:, h]
        s = q @ k.swapaxes(-1, -2) / jnp.sqrt(K)
        s = jnp.where(allowed, s, -jnp.inf)
        outs.append(jax.nn.softmax(s) @ v @ Wo[h])
    return sum(outs)


gap = jnp.abs(out - head_by_head(x)).max()
print("largest difference", gap)

probe = jax.random.normal(keys[5], (T, D))
similarity = jnp.einsum("btd,td->bt", out, probe)
best = jnp.argmax(similarity, axis=-1)
chosen = jnp.take_along_axis(out, best[:, None, None], axis=1)
flat = heads.transpose(0, 2, 1, 3).reshape(B, T, D)
mean_head = flat.reshape(B, T, H, K).mean(axis=2)
print(best, chosen.shape, mean_head.shape)
