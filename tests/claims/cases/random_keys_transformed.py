"""Random keys that are used twice through transformations of JAX. Each program that is wrong has a twin that is right."""

# only: engine, show, server - JAX runs such programs, and `test_random_keys` asks it for the keys; mypy has errors alone
import functools
from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp
import nowhere
from jax import lax, random


# %% a jitted function
@jax.jit
def step(key, x):
    return x + random.normal(key, x.shape)


key = random.key(0)
x = step(key, jnp.ones(3))
x = step(key, x)  # E: key: already used by step
# %% a jitted function that gives the next key
@jax.jit
def step(key, x):
    key, subkey = random.split(key)
    return key, x + random.normal(subkey, x.shape)


key, x = step(random.key(0), jnp.ones(3))
key, x = step(key, x)
for _ in range(100):
    key, x = step(key, x)


# %% inside of a jitted function
@jax.jit
def step(key):
    return random.normal(key) + random.uniform(key)  # E: key: already used by jax.random.normal


a = step(random.PRNGKey(0))
# %% inside of a jitted function that splits
@jax.jit
def step(key):
    first, second = random.split(key)
    return random.normal(first) + random.uniform(second)


a = step(random.PRNGKey(0))


# %% rows under vmap
def sample(key):
    return random.normal(key) + random.uniform(key)  # E: key: already used by jax.random.normal


a = jax.vmap(sample)(random.split(random.key(0), 4))
# %% rows under vmap that are split
def sample(key):
    first, second = random.split(key)
    return random.normal(first) + random.uniform(second)


a = jax.vmap(sample)(random.split(random.key(0), 4))


# %% a scan that carries the same key on
def body(carry, x):
    key, total = carry
    return (key, total + random.normal(key)), x


result = lax.scan(body, (random.key(0), 0.0), jnp.arange(3.0))  # E: key: scan uses this key again in each round
# %% a scan that splits what it carries
def body(carry, x):
    key, total = carry
    key, subkey = random.split(key)
    return (key, total + random.normal(subkey)), x


result = lax.scan(body, (random.key(0), 0.0), jnp.arange(3.0))


# %% a scan with a key from outside
key = random.PRNGKey(0)
result = lax.scan(lambda total, x: (total + random.normal(key), x), 0.0, jnp.arange(3.0))  # E: key: each round
# %% a scan over keys
keys = random.split(random.PRNGKey(0), 3)
result = lax.scan(lambda total, key: (total + random.normal(key), total), 0.0, keys)


# %% a fori loop with a key from outside
key = random.key(0)
result = lax.fori_loop(0, 5, lambda i, x: x + random.normal(key), 0.0)  # E: key: each round of the loop
# %% a fori loop that folds its number in
key = random.key(0)
result = lax.fori_loop(0, 5, lambda i, x: x + random.normal(random.fold_in(key, i)), 0.0)
