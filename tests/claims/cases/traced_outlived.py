"""Arrays that outlive the function that traced them. Each program that fails has a twin that is right."""

import math
import sys
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx


# %% a list outside that gets an array of a jitted function
history = []


@jax.jit
def step(x):
    history.append(x * 2)
    return x + 1


step(jnp.ones(3))
total = history[0] + 1  # E: leak
# %% a list that gets the results
history = []


@jax.jit
def step(x):
    return x + 1


history.append(step(jnp.ones(3)))
total = history[0] + 1


# %% an attribute
class Filter:
    def __init__(self):
        self.state = jnp.zeros(3)

    def update(self, x):
        self.state = self.state + x
        return self.state


filtered = Filter()
jax.jit(filtered.update)(jnp.ones(3))
mean = jnp.mean(filtered.state)  # E: leak


# %% an attribute that is set outside
class Filter:
    def __init__(self):
        self.state = jnp.zeros(3)

    def update(self, state, x):
        return state + x


filtered = Filter()
filtered.state = jax.jit(filtered.update)(filtered.state, jnp.ones(3))
mean = jnp.mean(filtered.state)
# %% a global
# An editor has mypy's own error in the line, which stands for both.
cached = None


@jax.jit
def rotate(x):
    global cached
    if cached is None:
        cached = jnp.cos(x)
    return x * cached


rotate(jnp.ones(3))
again = cached * 2  # E: leak
# %% a global that is computed before
cached = jnp.cos(jnp.ones(3))


@jax.jit
def rotate(x):
    return x * cached


rotate(jnp.ones(3))
again = cached * 2
# %% what vmap maps over
rows = []


def body(row):
    rows.append(row)
    return row.sum()


jax.vmap(body)(jnp.ones((2, 3)))
stacked = jnp.stack([rows[0], rows[0]])  # E: leak


# %% the results of vmap
def body(row):
    return row, row.sum()


rows, sums = jax.vmap(body)(jnp.ones((2, 3)))
stacked = jnp.stack([rows[0], rows[1]])
# %% the carry of a scan
last = {}


def body(carry, x):
    last["carry"] = carry
    return carry + x, x


jax.lax.scan(body, 0.0, jnp.arange(3.0))
end = last["carry"] + 1  # E: leak
# %% the shape of one that has outlived its trace
last = {}


def body(carry, x):
    last["carry"] = carry
    return carry + x, x


jax.lax.scan(body, 0.0, jnp.arange(3.0))
end = last["carry"].ndim + 1
# %% a gradient's
seen = []


def loss(w):
    seen.append(w**2)
    return seen[-1].sum()


jax.grad(loss)(jnp.ones(3))
norm = jnp.sqrt(seen[0])  # E: leak


# %% the auxiliary output of a gradient
def loss(w):
    squares = w**2
    return squares.sum(), squares


gradient, squares = jax.grad(loss, has_aux=True)(jnp.ones(3))
norm = jnp.sqrt(squares)
# %% a donated buffer
update = jax.jit(lambda p, g: p - 0.1 * g, donate_argnums=0)
params = jnp.ones(3)
new = update(params, jnp.ones(3))
change = new - params  # E: donated
# %% what is not donated
update = jax.jit(lambda p, g: p - 0.1 * g, donate_argnums=0)
params, gradient = jnp.ones(3), jnp.ones(3)
new = update(params, gradient)
change = new - gradient


# %% a donated tree
@partial(jax.jit, donate_argnames="state")
def train(state, x):
    return {"w": state["w"] + x, "n": state["n"] + 1}


state = {"w": jnp.ones(3), "n": jnp.zeros((), int)}
first = train(state=state, x=jnp.ones(3))
second = train(state=state, x=jnp.ones(3))  # E: donated


# %% a state that is replaced
@partial(jax.jit, donate_argnames="state")
def train(state, x):
    return {"w": state["w"] + x, "n": state["n"] + 1}


state = {"w": jnp.ones(3), "n": jnp.zeros((), int)}
for _ in range(3):
    state = train(state=state, x=jnp.ones(3))
mean = state["w"].mean()
# %% a donated buffer in a loop
update = jax.jit(lambda p: p * 2, donate_argnums=0)
params = jnp.ones(3)
for _ in range(2):
    new = update(params)  # E: donated
# %% a donated buffer that no result can use
mean = jax.jit(lambda p: p.mean(), donate_argnums=0)
params = jnp.ones(3)
first = mean(params)
change = params - first
# %% a donated buffer that is not read
kept = jax.jit(lambda p, q: q * 2, donate_argnums=0)
params = jnp.ones(3)
first = kept(params, jnp.ones(3))
change = params - first


# %% an array of a module whose transformation puts it back
class Counting(nnx.Module):
    def __init__(self):
        self.count = jnp.array(0)

    def __call__(self, x):
        self.count += 1
        return x * 2


counting = Counting()


@nnx.jit
def run(model, x):
    return jnp.mean(model(x))


run(counting, jnp.ones(3))
total = counting.count + 1
again = counting(jnp.ones(3))
