"""K-means without jit: branches on data, break and else in loops, boolean masks, where with one argument."""

import jax
import jax.numpy as jnp
import numpy as np

np.random.seed(4)
points = jnp.array(
    np.concatenate([np.random.randn(20, 2) * 0.3 + centre for centre in ([0, 0], [3, 3], [0, 4])])
)


def distances(a, b):
    return jnp.sqrt(((a[:, None] - b[None]) ** 2).sum(-1))


def furthest_first(points, k):
    chosen = [points[0]]
    while len(chosen) < k:
        d = distances(points, jnp.array(chosen)).min(axis=1)
        chosen.append(points[d.argmax()])
    return jnp.stack(chosen)


def kmeans(points, k, max_iter=50, tol=1e-4):
    centres = furthest_first(points, k)
    for iteration in range(max_iter):
        labels = distances(points, centres).argmin(axis=1)
        new = []
        for j in range(k):
            members = points[labels == j]
            if members.shape[0] == 0:
                new.append(centres[j])
                continue
            new.append(members.mean(axis=0))
        new = jnp.stack(new)
        shift = jnp.abs(new - centres).max()
        centres = new
        if shift < tol:
            print("converged after", iteration)
            break
    else:
        print("did not converge")
    inertia = (distances(points, centres).min(axis=1) ** 2).sum()
    return centres, labels, inertia


results = {}
for k in range(1, 5):
    centres, labels, inertia = kmeans(points, k)
    results[k] = inertia.item()

best = None
for k, inertia in results.items():
    if best is None or inertia < 0.5 * results[best]:
        best = k

centres, labels, _ = kmeans(points, best)
(indices,) = jnp.where(labels == 0)
rows, cols = jnp.nonzero(points > 3.5)
outliers = points[jnp.linalg.norm(points - centres[labels], axis=1) > 0.7]
sizes = jnp.bincount(labels, length=best)
names, first, inverse = np.unique(np.asarray(labels), return_index=True, return_inverse=True)
unique, counts = jnp.unique(labels, return_counts=True)
if outliers.shape[0]:
    spread = outliers.std(axis=0)
else:
    spread = jnp.zeros(2)
order = jnp.lexsort((points[:, 1], labels))
one_hot = labels[:, None] == jnp.arange(best)
means = one_hot.T.astype(points.dtype) @ points / sizes[:, None]
assert jnp.allclose(means, centres, atol=1e-4)
print(best, indices.shape, rows.shape, outliers.shape, sizes, spread.shape, order[:3], unique, counts)
