"""k-means and PCA as small classes in the manner of scikit-learn."""

import sys

import jax
import jax.numpy as jnp


def pairwise_distances(x, y):
    return jnp.sum((x[:, None, :] - y[None, :, :]) ** 2, axis=-1)


class KMeans:
    def __init__(self, n_clusters, max_iter=10, seed=0):
        self.n_clusters = n_clusters
        self.max_iter = max_iter
        self.seed = seed
        self.centers = None

    def fit(self, x):
        key = jax.random.PRNGKey(self.seed)
        rows = jax.random.choice(key, x.shape[0], (self.n_clusters,), replace=False)
        self.centers = x[rows]
        for _ in range(self.max_iter):
            labels = self.predict(x)
            self.centers = self._update(x, labels)
        return self

    def _update(self, x, labels):
        one_hot = jax.nn.one_hot(labels, self.n_clusters)
        counts = one_hot.sum(axis=0)
        return (one_hot.T @ x) / jnp.maximum(counts, 1)[:, None]

    def predict(self, x):
        return jnp.argmin(pairwise_distances(x, self.centers), axis=1)

    def inertia(self, x):
        return pairwise_distances(x, self.centers).min(axis=1).sum()


class PCA:
    def __init__(self, n_components):
        self.n_components = n_components

    def fit(self, x):
        self.mean = x.mean(axis=0)
        _, s, vt = jnp.linalg.svd(x - self.mean, full_matrices=False)
        self.components = vt[: self.n_components]
        self.explained = s[: self.n_components] ** 2 / (x.shape[0] - 1)
        return self

    def transform(self, x):
        return (x - self.mean) @ self.components.T

    def inverse_transform(self, z):
        return z @ self.components + self.mean

    @property
    def explained_ratio(self):
        return self.explained / self.explained.sum()


def standardize(x):
    mean, std = x.mean(axis=0), x.std(axis=0)
    return (x - mean) / std, mean, std


def blobs(key, n, d, centers):
    k1, k2, k3 = jax.random.split(key, 3)
    means = 5 * jax.random.normal(k1, (centers, d))
    which = jax.random.randint(k2, (n,), 0, centers)
    return means[which] + jax.random.normal(k3, (n, d)), which


def purity(labels, truth, n_clusters):
    table = jnp.zeros((n_clusters, n_clusters), int).at[labels, truth].add(1)
    return table.max(axis=1).sum() / labels.size


def main(n=96, d=8, clusters=4):
    x, truth = blobs(jax.random.PRNGKey(0), n, d, clusters)
    x, _, _ = standardize(x)
    pca = PCA(2).fit(x)
    z = pca.transform(x)
    print("reconstruction", jnp.abs(pca.inverse_transform(z) - x).mean(), pca.explained_ratio)
    kmeans = KMeans(clusters).fit(z)
    print(kmeans.inertia(z), purity(kmeans.predict(z), truth, clusters))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
