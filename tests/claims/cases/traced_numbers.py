"""Numbers of arrays that JAX traces. Each program that fails has a twin that is right."""

import math
import sys
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


# %% float of a traced array
@jax.jit
def logged(x):
    scale = float(x.mean())  # E: tracing
    return x / scale


logged(jnp.ones(3))


# %% astype in its place
@jax.jit
def logged(x):
    scale = x.mean().astype(float)
    return x / scale


logged(jnp.ones(3))


# %% float under a gradient
def loss(w):
    scale = float(w.sum())  # E: tracing
    return (w * scale).sum()


jax.grad(loss)(jnp.ones(3))


# %% int under a gradient
def loss(w):
    count = int(w.sum())
    return (w * count).sum()


jax.grad(loss)(jnp.ones(3))
# %% float of the loss, after the gradient
value, gradient = jax.value_and_grad(lambda w: (w**2).sum())(jnp.ones(3))
losses = [float(value)]


# %% int of a traced array
@jax.jit
def first(x, n):
    return x[: int(n)]  # E: tracing


first(jnp.arange(5), 2)


# %% int of a static argument
@partial(jax.jit, static_argnames=("n",))
def first(x, n):
    return x[: int(n)]


first(jnp.arange(5), n=2)


# %% item of a traced array
@jax.jit
def step(params, x):
    loss = ((x - params) ** 2).mean()
    return params - 0.1 * loss.item()  # E: tracing


step(jnp.ones(3), jnp.zeros(3))


# %% item after the call
@jax.jit
def step(params, x):
    return params - 0.1 * ((x - params) ** 2).mean()


step(jnp.ones(3), jnp.zeros(3)).mean().item()


# %% tolist under vmap
def totals(row):
    return sum(row.tolist())  # E: tracing


jax.vmap(totals)(jnp.ones((2, 3)))


# %% sum of a row under vmap
def totals(row):
    return sum(row)


jax.vmap(totals)(jnp.ones((2, 3)))


# %% range of a traced int
@jax.jit
def power(x, n):
    out = jnp.ones_like(x)
    for _ in range(n):  # E: tracing
        out = out * x
    return out


power(jnp.full(3, 2.0), 4)


# %% range of a size
@jax.jit
def power(x):
    out = jnp.ones_like(x)
    for i in range(x.shape[0]):
        out = out * x[i]
    return out


power(jnp.full(3, 2.0))


# %% an index of a list
@jax.jit
def pick(i, x):
    weights = [0.1, 0.2, 0.7]
    return weights[i] * x  # E: tracing


pick(1, jnp.ones(3))


# %% an index of an array
@jax.jit
def pick(i, x):
    weights = jnp.array([0.1, 0.2, 0.7])
    return weights[i] * x


pick(1, jnp.ones(3))
# %% an index of an array of NumPy
table = np.linspace(0, 1, 8)


@jax.jit
def looked_up(token):
    return table[token] * 2  # E: tracing


looked_up(3)
# %% an index of what JAX makes of it
table = np.linspace(0, 1, 8)


@jax.jit
def looked_up(token):
    return jnp.asarray(table)[token] * 2


looked_up(3)


# %% math of a traced number
@jax.jit
def gaussian(x, sigma):
    return jnp.exp(-(x**2)) / math.sqrt(sigma)  # E: tracing


gaussian(jnp.ones(3), 2.0)


# %% math of a constant
@jax.jit
def gaussian(x):
    return jnp.exp(-(x**2)) / math.sqrt(2 * math.pi * x.shape[0])


gaussian(jnp.ones(3))


# %% NumPy of a traced array
@jax.jit
def wave(t):
    return np.sin(t) * 2  # E: tracing


wave(jnp.arange(4.0))
# %% NumPy of what is not traced
phases = np.sin(np.arange(4))


@jax.jit
def wave(t):
    return np.pi * jnp.sin(t) + phases + np.prod(t.shape)


wave(jnp.arange(4.0))


# %% NumPy under a gradient
def loss(w):
    return jnp.sum(np.exp(w))  # E: tracing


jax.grad(loss)(jnp.ones(3))


# %% NumPy beside a gradient
def loss(w, x):
    return jnp.sum(w * np.exp(x))


jax.grad(loss)(jnp.ones(3), np.ones(3))


# %% np.array of traced numbers
@jax.jit
def rotation(angle):
    return np.array([[jnp.cos(angle), -jnp.sin(angle)], [jnp.sin(angle), jnp.cos(angle)]])  # E: tracing


rotation(0.5)


# %% jnp.array of traced numbers
@jax.jit
def rotation(angle):
    return jnp.array([[jnp.cos(angle), -jnp.sin(angle)], [jnp.sin(angle), jnp.cos(angle)]])


rotation(0.5)


# %% NumPy's functions that ask for the shape alone
@jax.jit
def flat(x):
    return x.reshape(np.shape(x)[1], np.ndim(x))


flat(jnp.ones((2, 3)))


# %% a format of a traced number
@jax.jit
def told(x):
    print(f"mean {x.mean():.3f}")  # E: tracing
    return x


told(jnp.ones(3))


# %% a text of a traced number
@jax.jit
def told(x):
    print(f"x is {x}", x.shape)
    jax.debug.print("mean {m:.3f}", m=x.mean())
    return x


told(jnp.ones(3))
# %% all of it, where nothing is traced
x = jnp.arange(3.0)
print(
    f"{x.mean():.3f}",
    float(x[0]),
    int(x[1]),
    x[2].item(),
    np.sin(x),
    math.sqrt(x[1]),
    [1, 2, 3][x[1].astype(int)],
)
total = [0.1, 0.2, 0.7][int(x[1])] + min(x[0], 2.0) + np.ones(3)[x[1].astype(int)]
for _ in range(x[2].astype(int)):
    total += jnp.zeros(x[1].astype(int)).sum() + len(x[x > 0]) + len(jnp.unique(x))


# %% a traced number of points
@jax.jit
def points(n):
    return jnp.linspace(0, 1, n)  # E: tracing


points(3)


# %% a traced size of random numbers
@jax.jit
def drawn(n, key):
    return jax.random.uniform(key, (n, 3))  # E: tracing


drawn(3, jax.random.key(0))
