"""Jitted functions that are compiled again. Each program that is wrong has a twin that is right."""

# only: engine, show - JAX runs such programs, and `test_rules` asks it; mypy has errors alone, and these are information
import functools

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np


# %% two lengths
@jax.jit
def total(x):
    return x.sum()


a = total(jnp.ones(12))
b = total(jnp.ones(13))  # E: compiled: total is compiled 2 times: x is float32[12], float32[13]; pad axis 0
# %% one length
@jax.jit
def total(x):
    return x.sum()


a = total(jnp.ones(12))
b = total(jnp.zeros(12))


# %% a weak start
@jax.jit
def decay(level, rate):
    return level * rate


level = 1.0
for _ in range(5):
    level = decay(level, jnp.float32(0.9))  # E: compiled: 2 times: level is weak float32[], float32[]; give
# %% a strong start
@jax.jit
def decay(level, rate):
    return level * rate


level = jnp.float32(1.0)
for _ in range(5):
    level = decay(level, jnp.float32(0.9))


# %% a static number
@functools.partial(jax.jit, static_argnames="n")
def power(x, n):
    return x**n


for n in range(2, 5):
    y = power(jnp.ones(3), n)  # E: compiled: 3 times: n is 2, 3, 4; pass it as an array
# %% a number that is traced
@jax.jit
def power(x, n):
    return x**n


for n in range(2, 5):
    y = power(jnp.ones(3), n)


# %% a function of each round
for rate in (0.1, 0.2, 0.3):
    step = jax.jit(lambda w: w - rate)  # E: compiled: each round of the loop makes a new function
    w = step(jnp.ones(3))
# %% a function before the loop
step = jax.jit(lambda w, rate: w - rate)
for rate in (0.1, 0.2, 0.3):
    w = step(jnp.ones(3), rate)


# %% a gradient of each round
def loss(w):
    return (w**2).sum()


w = jnp.ones(3)
for _ in range(1000):
    w = w - jax.jit(jax.grad(loss))(w)  # E: compiled: each round
# %% a gradient before the loop
def loss(w):
    return (w**2).sum()


w = jnp.ones(3)
slope = jax.jit(jax.grad(loss))
for _ in range(1000):
    w = w - slope(w)


# %% a bound method in a loop
class Model:
    def __init__(self):
        self.w = jnp.ones(3)

    def predict(self, x):
        return x @ self.w


model = Model()
for _ in range(3):
    y = jax.jit(model.predict)(jnp.ones(3))  # E: compiled: each round
# %% a bound method before the loop
class Model:
    def __init__(self):
        self.w = jnp.ones(3)

    def predict(self, x):
        return x @ self.w


model = Model()
predict = jax.jit(model.predict)
for _ in range(3):
    y = predict(jnp.ones(3))


# %% a helper that compiles
def apply(x):
    return jax.jit(lambda y: y + 1)(x)  # E: compiled: each round


for _ in range(3):
    y = apply(jnp.ones(3))
# %% a helper that keeps what it compiles
@functools.lru_cache
def compiled():
    return jax.jit(lambda y: y + 1)


for _ in range(3):
    y = compiled()(jnp.ones(3))


# %% a decorated function in a loop
for _ in range(2):

    @jax.jit  # E: compiled: each round
    def double(x):
        return x * 2

    y = double(jnp.ones(3))
# %% the same function in a loop
def double(x):
    return x * 2


for _ in range(2):
    y = jax.jit(double)(jnp.ones(3))


# %% rows of a last batch
@jax.jit
def mean(rows):
    return rows.mean(0)


data = jnp.ones((10, 4))
for start in range(0, 10, 4):
    m = mean(data[start : start + 4])  # E: compiled: rows is float32[4, 4], float32[2, 4]; pad axis 0
# %% rows of whole batches
@jax.jit
def mean(rows):
    return rows.mean(0)


data = jnp.ones((12, 4))
for start in range(0, 12, 4):
    m = mean(data[start : start + 4])


# %% two dtypes in a tree
@jax.jit
def scaled(params):
    return jax.tree.map(lambda p: p * 2, params)


a = scaled({"w": jnp.ones(3), "b": jnp.ones(1)})
b = scaled({"w": jnp.ones(3, jnp.bfloat16), "b": jnp.ones(1)})  # E: compiled: params['w'] is float32[3], bfloat16[3]; give it one dtype
# %% one dtype in a tree
@jax.jit
def scaled(params):
    return jax.tree.map(lambda p: p * 2, params)


a = scaled({"w": jnp.ones(3), "b": jnp.ones(1)})
b = scaled({"b": jnp.ones(1), "w": jnp.ones(3)})


# %% an argument by name
@jax.jit
def shifted(x, by):
    return x + by


a = shifted(jnp.ones(3), 1.0)
b = shifted(jnp.ones(3), by=1.0)  # E: compiled: by is weak float32[], weak float32[] by name; pass it in the same way
# %% an argument by position
@jax.jit
def shifted(x, by):
    return x + by


a = shifted(jnp.ones(3), 1.0)
b = shifted(jnp.ones(3), 2.0)


# %% an int and a float
@jax.jit
def shifted(x, by):
    return x + by


a = shifted(jnp.ones(3), 1)
b = shifted(jnp.ones(3), 0.5)  # E: compiled: by is weak int32[], weak float32[]; give it one dtype
# %% arrays of NumPy and of JAX
@jax.jit
def shifted(x, by):
    return x + by


a = shifted(jnp.ones(3), np.ones(3))
b = shifted(jnp.ones(3), jnp.ones(3))


# %% a default that is passed once
@jax.jit
def scaled(x, factor=2.0):
    return x * factor


a = scaled(jnp.ones(3))
b = scaled(jnp.ones(3), 2.0)  # E: compiled: factor is left out, weak float32[]; pass arguments of the same
# %% a default that is never passed
@jax.jit
def scaled(x, factor=2.0):
    return x * factor


a = scaled(jnp.ones(3))
b = scaled(jnp.ones(3))
