"""Principal components by SVD, by power iteration and online, in a script."""

import jax
import jax.numpy as jnp

key = jax.random.key(0)
mix_key, source_key, noise_key, start_key = jax.random.split(key, 4)

sources = jax.random.normal(source_key, (200, 2)) * jnp.array([3.0, 1.0])
mixing = jax.random.orthogonal(mix_key, 5)[:2]
data = sources @ mixing + 0.05 * jax.random.normal(noise_key, (200, 5))

mean = data.mean(axis=0, keepdims=True)
centered = data - mean
u, s, vt = jnp.linalg.svd(centered, full_matrices=False)
explained = s**2 / jnp.sum(s**2)
components = vt[:2]
scores = centered @ components.T
reconstructed = scores @ components + mean
error = jnp.sqrt(jnp.mean((data - reconstructed) ** 2))

covariance = centered.T @ centered / (data.shape[0] - 1)
eigenvalues, eigenvectors = jnp.linalg.eigh(covariance)
order = jnp.argsort(eigenvalues)[::-1]
eigenvectors = eigenvectors[:, order]


def power_iteration(matrix, v, steps=50):
    def body(_, v):
        v = matrix @ v
        return v / jnp.linalg.norm(v)

    return jax.lax.fori_loop(0, steps, body, v)


v = power_iteration(covariance, jax.random.normal(start_key, (5,)))
alignment = jnp.abs(v @ components[0])

w = jnp.ones(5) / jnp.sqrt(5.0)
for row in centered[:20]:
    projection = row @ w
    w = w + 0.01 * projection * (row - projection * w)

q, r = jnp.linalg.qr(centered.T)
whitening = eigenvectors / jnp.sqrt(eigenvalues[order])
white = centered @ whitening
print("explained", explained, "error", error, "alignment", alignment, "online", jnp.linalg.norm(w))
print(q.shape, r.shape, jnp.cov(white.T).round(2)[0])
