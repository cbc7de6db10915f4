"""Random keys that are used twice. Each program that is wrong has a twin that is right."""

# only: engine, show, server - JAX runs such programs, and `test_random_keys` asks it for the keys; mypy has errors alone
import functools
from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp
import nowhere
from jax import lax, random


# %% two samplers get one key
key = random.key(0)
a = random.normal(key, (3,))
b = random.uniform(key, (3,))  # E: key: already used by jax.random.normal
# %% each sampler gets its own
key, subkey = random.split(random.key(0))
a = random.normal(key, (3,))
b = random.uniform(subkey, (3,))


# %% a key of the older form
key = random.PRNGKey(0)
a = random.normal(key, (3,))
b = random.normal(key, (3,))  # E: key: already used by jax.random.normal
# %% keys of the older form that were split
key, subkey = random.split(random.PRNGKey(0))
a = random.normal(key, (3,))
b = random.normal(subkey, (3,))


# %% a key that is split after its use
key = random.key(0)
a = random.normal(key, (3,))
key, subkey = random.split(key)  # E: key: already used by jax.random.normal
# %% a key that is split before
key = random.key(0)
key, subkey = random.split(key)
a = random.normal(subkey, (3,))
key, subkey = random.split(key)
b = random.normal(subkey, (3,))


# %% a key that is used after it was split
key = random.PRNGKey(0)
first, second = random.split(key)
a = random.normal(key)  # E: key: already used by jax.random.split
# %% a key of another seed
a = random.normal(random.key(0))
b = random.normal(random.key(0))


# %% one of several keys is used twice
keys = random.split(random.key(0), 3)
a = random.normal(keys[0])
b = random.normal(keys[1])
c = random.normal(keys[0])  # E: key: already used by jax.random.normal
# %% several keys are used once
keys = random.split(random.key(0), 3)
a = random.normal(keys[0])
b = random.normal(keys[1])
c = random.normal(keys[-1])


# %% all keys are used after one of them
keys = random.split(random.PRNGKey(0), 3)
a = random.normal(keys[1])
b = jax.vmap(random.normal)(keys)  # E: key: already used by jax.random.normal
# %% the keys that are left
keys = random.split(random.PRNGKey(0), 3)
a = random.normal(keys[0])
b = jax.vmap(random.normal)(keys[1:])


# %% a loop uses a key from outside
key = random.key(0)
for i in range(3):
    a = random.normal(key)  # E: key: jax.random.normal uses this key again in each round of the loop
# %% a loop that folds its number in
key = random.key(0)
for i in range(3):
    a = random.normal(random.fold_in(key, i))


# %% a long loop uses a key from outside
key = random.key(0)
for i in range(500):
    a = random.normal(key)  # E: key: in each round of the loop
# %% a long loop splits its key
key = random.key(0)
for i in range(500):
    key, subkey = random.split(key)
    a = random.normal(subkey)
b = random.normal(key)


# %% a loop over batches of unknown number
# unknown: [1.0, 2.0, 3.0]
key = random.PRNGKey(0)
for batch in nowhere.a:
    key, subkey = random.split(key)
    a = random.normal(subkey)
    b = random.normal(subkey)  # E: key: already used by jax.random.normal
# %% a loop over batches of unknown number that splits
# unknown: [1.0, 2.0, 3.0]
key = random.PRNGKey(0)
for batch in nowhere.a:
    key, first, second = random.split(key, 3)
    a = random.normal(first)
    b = random.normal(second)


# %% a comprehension uses a key from outside
key = random.key(0)
rows = [random.normal(key, (3,)) for _ in range(4)]  # E: key: in each round
# %% a comprehension over keys
keys = random.split(random.key(0), 4)
rows = [random.normal(each, (3,)) for each in keys]


# %% a function that is called twice with one key
def init(key):
    w, b = random.split(key)
    return random.normal(w, (3, 4)), random.normal(b, (4,))


key = random.key(0)
first = init(key)
second = init(key)  # E: key: already used by jax.random.split in init
# %% a function that is called with two keys
def init(key):
    w, b = random.split(key)
    return random.normal(w, (3, 4)), random.normal(b, (4,))


left, right = random.split(random.key(0))
first = init(left)
second = init(right)


# %% a callee uses a key of its caller's twice
def init(key):
    w = random.normal(key, (3, 4))
    return w, random.normal(key, (4,))  # E: key: already used by jax.random.normal


first = init(random.key(0))
# %% a callee splits
def init(key):
    key, subkey = random.split(key)
    return random.normal(key, (3, 4)), random.normal(subkey, (4,))


first = init(random.key(0))


# %% an attribute
class Sampler:
    def __init__(self, seed):
        self.key = random.PRNGKey(seed)

    def draw(self):
        return random.normal(self.key, (3,))


sampler = Sampler(0)
a = sampler.draw()
b = sampler.draw()  # E: key: already used by jax.random.normal in draw
# %% an attribute that is split
class Sampler:
    def __init__(self, seed):
        self.key = random.PRNGKey(seed)

    def draw(self):
        self.key, subkey = random.split(self.key)
        return random.normal(subkey, (3,))


sampler = Sampler(0)
a = sampler.draw()
b = sampler.draw()
c = sampler.draw()


# %% keys in a tree
class State(NamedTuple):
    key: jax.Array
    mean: jax.Array


def draw(state):
    return state.mean + random.normal(state.key)


state = State(random.key(0), jnp.zeros(()))
a = draw(state)
b = draw(state._replace(mean=a))  # E: key: already used by jax.random.normal in draw
# %% keys in a tree that are replaced
class State(NamedTuple):
    key: jax.Array
    mean: jax.Array


def draw(state):
    key, subkey = random.split(state.key)
    return State(key, state.mean + random.normal(subkey))


state = State(random.key(0), jnp.zeros(()))
state = draw(state)
state = draw(state)


# %% a closure
key = random.key(0)


def noise(x):
    return x + random.normal(key, x.shape)


a = noise(jnp.ones(3))
b = noise(jnp.ones(4))  # E: key: already used by jax.random.normal in noise
# %% a closure that gets a number
key = random.key(0)


def noise(x, i):
    return x + random.normal(random.fold_in(key, i), x.shape)


a = noise(jnp.ones(3), 0)
b = noise(jnp.ones(4), 1)


# %% one number is folded in twice
key = random.key(0)
a = random.normal(random.fold_in(key, 1))
b = random.normal(random.fold_in(key, 1))  # E: key: already used by jax.random.normal
# %% two numbers are folded in
key = random.key(0)
a = random.normal(random.fold_in(key, 1))
b = random.normal(random.fold_in(key, 2))


# %% one number is folded in twice, in the older form
key = random.PRNGKey(0)
a = random.normal(random.fold_in(key, 1))
b = random.normal(random.fold_in(key, 1))  # E: key: already used by jax.random.normal
# %% a key from which others came by numbers
key = random.PRNGKey(0)
a = random.normal(random.fold_in(key, 1))
b = random.normal(key)


# %% a use before a condition and one under it
# unknown: True
key = random.key(0)
a = random.normal(key)
if nowhere.a:
    a = a + random.normal(key)  # E: key: already used by jax.random.normal
# %% a use on each side of a condition
# unknown: True
key = random.key(0)
if nowhere.a:
    a = random.normal(key)
else:
    a = random.uniform(key)


# %% a use under a condition and one after it
# unknown: True
key = random.key(0)
a = 0.0
if nowhere.a:
    a = random.normal(key)
b = random.normal(key)  # E: key: already used by jax.random.normal
# %% uses under two conditions
# unknown: True
key = random.key(0)
a = 0.0
if nowhere.a:
    a = random.normal(key)
if not nowhere.a:
    a = random.uniform(key)


# %% a use under a condition that goes on
# unknown: True
def draw(key, is_fast):
    if is_fast:
        random.uniform(key)
    return random.normal(key)  # E: key: already used by jax.random.uniform


a = draw(random.key(0), nowhere.a)
# %% a use under a condition that returns
# unknown: True
def draw(key, is_fast):
    if is_fast:
        return random.uniform(key)
    return random.normal(key)


a = draw(random.key(0), nowhere.a)


# %% a gradient in a loop
key = random.key(0)


def loss(w):
    return jnp.sum(w * random.normal(key, w.shape))


w = jnp.ones(3)
for _ in range(3):
    w = w - jax.grad(loss)(w)  # E: key: each round of the loop
# %% a gradient with a key for each round
def loss(w, key):
    return jnp.sum(w * random.normal(key, w.shape))


w = jnp.ones(3)
for key in random.split(random.key(0), 3):
    w = w - jax.grad(loss)(w, key)


# %% sizes that are not known
# unknown: 3
key = random.key(0)
a = random.normal(key, (nowhere.a, 2))
b = random.uniform(key, (nowhere.a, 2))  # E: key: already used by jax.random.normal
# %% sizes that are not known, and two keys
# unknown: 3
key, subkey = random.split(random.key(0))
a = random.normal(key, (nowhere.a, 2))
b = random.uniform(subkey, (nowhere.a, 2))


# %% a partial
draw = functools.partial(random.normal, random.key(0))
a = draw((3,))
b = draw((4,))  # E: key: already used by jax.random.normal
# %% a clone
key = random.key(0)
a = random.normal(random.clone(key))
b = random.normal(key)


# %% one of two keys
# unknown: True
first, second = random.split(random.key(0))
a = random.normal(first)
key = first if nowhere.a else second
b = random.normal(key)


# %% the same key for two functions that are compared
def forward(key, x):
    return x * random.bernoulli(key, 0.5, x.shape)


key = random.key(0)
a = forward(key, jnp.ones(3))
b = jax.jit(forward)(key, jnp.ones(3))  # E: key: already used by jax.random.bernoulli in forward
