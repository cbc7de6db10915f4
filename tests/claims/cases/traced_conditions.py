"""Conditions of arrays that JAX traces. Each program that fails has a twin that is right."""

import math
import sys
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


# %% an if of a jitted function
@jax.jit
def clip(x):
    if x.max() > 1:  # E: tracing
        return x / x.max()
    return x


clip(jnp.ones(3))


# %% jnp.where in its place
@jax.jit
def clip(x):
    return jnp.where(x.max() > 1, x / x.max(), x)


clip(jnp.ones(3))


# %% an if of a function that a jitted one calls
def limited(speed):
    if speed > 2.0:  # E: tracing
        speed = 2.0
    return speed


step = jax.jit(lambda x, speed: x + limited(speed))
step(jnp.zeros(3), 1.5)


# %% an if outside of it
def limited(speed):
    speed = min(speed, 2.0)
    return speed


step = jax.jit(lambda x, speed: x + speed)
step(jnp.zeros(3), limited(1.5))


# %% an if of a row under vmap
def sign(x):
    return 1.0 if x > 0 else -1.0  # E: tracing


jax.vmap(sign)(jnp.arange(4.0))


# %% an if under vmap of what is not mapped
def scaled(x, factor):
    return x * factor if factor > 0 else x


jax.vmap(scaled, in_axes=(0, None))(jnp.arange(4.0), jnp.float32(2.0))


# %% an if under a gradient of a jitted function
@jax.jit
def loss(w):
    if jnp.sum(w) > 0:  # E: tracing
        return jnp.sum(w**2)
    return jnp.sum(jnp.abs(w))


jax.grad(loss)(jnp.ones(3))


# %% an if under a gradient
def loss(w):
    if jnp.sum(w) > 0:
        return jnp.sum(w**2)
    return jnp.sum(jnp.abs(w))


jax.grad(loss)(jnp.ones(3))


# %% a while of a jitted function
@jax.jit
def halved(x):
    while x > 1:  # E: tracing
        x = x / 2
    return x


halved(8.0)


# %% a while_loop
@jax.jit
def halved(x):
    return jax.lax.while_loop(lambda x: x > 1, lambda x: x / 2, x)


halved(8.0)


# %% an assert of a jitted function
@jax.jit
def normalized(p):
    total = p.sum()
    assert total > 0, "no mass"  # E: tracing
    return p / total


normalized(jnp.ones(4))


# %% an assert of a shape
@jax.jit
def normalized(p):
    assert p.ndim == 1 and p.shape[0] > 0, "no mass"
    return p / p.sum()


normalized(jnp.ones(4))


# %% and of traced bools
@jax.jit
def inside(x, low, high):
    return x > low and x < high  # E: tracing


inside(1.0, 0.0, 2.0)


# %% & of traced bools
@jax.jit
def inside(x, low, high):
    return (x > low) & (x < high)


inside(1.0, 0.0, 2.0)


# %% a chain of comparisons
@jax.jit
def inside(x, low, high):
    return low < x < high  # E: tracing


inside(1.0, 0.0, 2.0)


# %% one comparison
@jax.jit
def above(x, low):
    return low < x


above(1.0, 0.0)


# %% not of a traced bool
@jax.jit
def flipped(done):
    return not done  # E: tracing


flipped(jnp.array(True))


# %% ~ of a traced bool
@jax.jit
def flipped(done):
    return ~done


flipped(jnp.array(True))


# %% the condition of a comprehension
@jax.jit
def kept(x):
    return jnp.stack([row for row in x if row.sum() > 0])  # E: tracing


kept(jnp.ones((3, 2)))


# %% a comprehension over sizes
@jax.jit
def kept(x):
    return jnp.stack([row for i, row in enumerate(x) if i > 0])


kept(jnp.ones((3, 2)))


# %% an if in the body of a scan
def body(carry, x):
    if x > 0:  # E: tracing
        carry = carry + x
    return carry, carry


jax.lax.scan(body, 0.0, jnp.arange(4.0))


# %% a where in the body of a scan
def body(carry, x):
    carry = jnp.where(x > 0, carry + x, carry)
    return carry, carry


jax.lax.scan(body, 0.0, jnp.arange(4.0))


# %% an if in the body of a fori_loop
def body(i, total):
    if i % 2 == 0:  # E: tracing
        total = total + i
    return total


jax.lax.fori_loop(0, 5, body, 0)
# %% an if in a loop of Python
total = jnp.int32(0)
for i in range(5):
    if i % 2 == 0 and total < 100:
        total = total + i


# %% an if in a branch of cond
def grow(x):
    if x[0] > 1:  # E: tracing
        return x * 2
    return x


jax.lax.cond(True, grow, lambda x: x, jnp.ones(2))


# %% an if before a cond
def grow(x):
    return x * 2


x = jnp.ones(2)
if x[0] > 1:
    x = jax.lax.cond(True, grow, lambda x: x, x)


# %% an if in a function that lax.map takes
def score(row):
    if row.max() > 2:  # E: tracing
        return jnp.float32(1)
    return row.sum()


jax.lax.map(score, jnp.ones((3, 2)))
# %% an if of arrays that are not traced, under a jit
limit = jnp.float32(3.0)


@jax.jit
def scaled(x):
    if limit.dtype == jnp.float32 and float(limit) > 2:
        return x * 2
    return x


scaled(jnp.ones(3))
# %% an if of a computation with such an array, which jit traces
limit = jnp.float32(3.0)


@jax.jit
def scaled(x):
    if limit + 1 > 2:  # E: tracing
        return x * 2
    return x


scaled(jnp.ones(3))
# %% computed before anything is traced
limit = jnp.float32(3.0)


@jax.jit
def scaled(x):
    with jax.ensure_compile_time_eval():
        large = bool(limit + 1 > 2)
    return x * 2 if large else x


scaled(jnp.ones(3))
