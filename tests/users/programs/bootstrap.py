"""Bootstrap intervals and a permutation test, random keys split by hand."""

import jax
import jax.numpy as jnp
from jax import random, vmap

key = random.PRNGKey(2024)
key, a_key, b_key = random.split(key, 3)
group_a = 1.0 + random.normal(a_key, (40,))
group_b = 0.5 + 1.5 * random.normal(b_key, (60,))


def resampled_mean(key, data):
    indices = random.randint(key, data.shape, 0, data.shape[0])
    return data[indices].mean()


key, subkey = random.split(key)
boot_keys = random.split(subkey, 200)
means = vmap(resampled_mean, in_axes=(0, None))(boot_keys, group_a)
low, high = jnp.percentile(means, jnp.array([2.5, 97.5]))
print("mean", group_a.mean(), "interval", low, high)

pooled = jnp.concatenate([group_a, group_b])
observed = group_a.mean() - group_b.mean()


def permuted_difference(key):
    shuffled = random.permutation(key, pooled)
    return shuffled[:40].mean() - shuffled[40:].mean()


key, subkey = random.split(key)
differences = vmap(permuted_difference)(random.split(subkey, 300))
p_value = jnp.mean(jnp.abs(differences) >= jnp.abs(observed))

var_a, var_b = group_a.var(ddof=1), group_b.var(ddof=1)
standard_error = jnp.sqrt(var_a / 40 + var_b / 60)
t_statistic = observed / standard_error
normalized = (pooled - pooled.mean()) / pooled.std()
labels = jnp.concatenate([jnp.zeros(40), jnp.ones(60)])
correlation = jnp.corrcoef(normalized, labels)[0, 1]
table = jnp.stack([normalized, labels])
covariance = table @ table.T / pooled.size
outliers = jnp.where(jnp.abs(normalized) > 2.5, normalized, 0.0)
ranks = jnp.argsort(jnp.argsort(pooled)) + 1
rank_sum = jnp.sum(ranks * labels)
print("p", p_value, "t", t_statistic, "r", correlation, "ranks", rank_sum, covariance.shape, outliers.sum())
