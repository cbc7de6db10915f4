"""What is given to a jitted function, and what arrays are used as. Each program that fails has a twin that is right."""

import math
import sys
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


# %% a text for a jitted function
@jax.jit
def reduced(x, how):
    return x.mean() if how == "mean" else x.sum()


reduced(jnp.ones(3), "mean")  # E: tracing  # E(plugin): shape


# %% a static text
@partial(jax.jit, static_argnames="how")
def reduced(x, how):
    return x.mean() if how == "mean" else x.sum()


reduced(jnp.ones(3), how="mean")


# %% a function for a jitted function
@jax.jit
def applied(x, act):
    return act(x)


applied(jnp.ones(3), jnp.tanh)  # E: tracing  # E(plugin): shape


# %% a static function
@partial(jax.jit, static_argnums=1)
def applied(x, act):
    return act(x)


applied(jnp.ones(3), jnp.tanh)


# %% a text in a dict
@jax.jit
def shifted(batch):
    return batch["x"] + 1


shifted({"x": jnp.ones(3), "name": "train"})  # E: tracing  # E(plugin): shape


# %% a dict of arrays
@jax.jit
def shifted(batch):
    return batch["x"] + 1


shifted({"x": jnp.ones(3), "y": 2})


# %% a list as a static argument
@partial(jax.jit, static_argnames="sizes")
def made(x, sizes):
    return x.reshape(sizes)


made(jnp.ones(6), sizes=[2, 3])  # E: tracing  # E(plugin): dtype


# %% a tuple as a static argument
@partial(jax.jit, static_argnames="sizes")
def made(x, sizes):
    return x.reshape(sizes)


made(jnp.ones(6), sizes=(2, 3))


# %% an array as a static argument
@partial(jax.jit, static_argnums=1)
def moved(x, by):
    return x + by


moved(jnp.ones(3), jnp.ones(3))  # E: tracing


# %% an array as an argument
@jax.jit
def moved(x, by):
    return x + by


moved(jnp.ones(3), jnp.ones(3))


# %% a dict as a static argument
@partial(jax.jit, static_argnums=0)
def scaled(config, x):
    return x * config["scale"]


scaled({"scale": 2.0}, jnp.ones(3))  # E: tracing  # E(plugin): dtype


# %% a dict of numbers as an argument
@jax.jit
def scaled(config, x):
    return x * config["scale"]


scaled({"scale": 2.0}, jnp.ones(3))


# %% an object as an argument
class Config:
    def __init__(self, scale):
        self.scale = scale


@jax.jit
def scaled(config, x):
    return x * config.scale


scaled(Config(2.0), jnp.ones(3))  # E: tracing  # E(plugin): shape


# %% an object as a static argument
class Config:
    def __init__(self, scale):
        self.scale = scale


@partial(jax.jit, static_argnums=0)
def scaled(config, x):
    return x * config.scale


scaled(Config(2.0), jnp.ones(3))


# %% self as an argument
class Model:
    def __init__(self):
        self.w = jnp.ones(3)

    @jax.jit
    def __call__(self, x):
        return self.w * x


Model()(jnp.ones(3))  # E: tracing


# %% self as a static argument
class Model:
    def __init__(self):
        self.w = jnp.ones(3)

    @partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return self.w * x


Model()(jnp.ones(3))


# %% a mutable dataclass as a static argument
@dataclass
class Options:
    depth: int = 2


@partial(jax.jit, static_argnums=1)
def deep(x, options):
    return x * options.depth


deep(jnp.ones(3), Options())  # E: tracing  # E(plugin): dtype


# %% a frozen one
@dataclass(frozen=True)
class Options:
    depth: int = 2


@partial(jax.jit, static_argnums=1)
def deep(x, options):
    return x * options.depth


deep(jnp.ones(3), Options())


# %% a text that a jitted function returns
@jax.jit
def named(x):
    return x + 1, "loss"


named(jnp.ones(3))  # E: tracing  # E(plugin): dtype


# %% texts beside what it returns
@jax.jit
def named(x):
    return {"loss": x + 1}


named(jnp.ones(3))
# %% an assignment to an item
x = jnp.zeros(3)
x[0] = 1.0  # E: tracing
# %% at in its place
x = jnp.zeros(3)
x = x.at[0].set(1.0)
# %% an assignment with an operator
counts = jnp.zeros((3, 3), int)
for i in range(3):
    counts[i, i] += 1  # E: tracing
# %% of an array of NumPy
counts = np.zeros((3, 3), int)
for i in range(3):
    counts[i, i] += 1
counts = jnp.asarray(counts)


# %% in a called function
def masked(scores, n):
    scores[:, n:] = -1e9  # E: tracing
    return scores


masked(jnp.ones((2, 4)), 2)  # E(plugin): tracing


# %% of a dict of arrays
def stored(cache, x):
    cache["x"] = x
    cache["y"] = cache["x"] + 1
    return cache


stored({}, jnp.ones(3))
# %% an array as a key
counts = {}
for label in jnp.array([3, 4, 3]):
    counts[label] = counts.get(label, 0) + 1  # E: tracing
# %% a number as a key
counts = {}
for label in jnp.array([3, 4, 3]):
    counts[int(label)] = counts.get(int(label), 0) + 1
# %% arrays in a set
seen = {jnp.int32(3), jnp.int32(4)}  # E: tracing
# %% numbers in a set
seen = {int(jnp.int32(3)), jnp.int32(4).item()}
# %% an array that looks a name up
# An editor has mypy's own error in the line, which stands for both.
names = {0: "cat", 1: "dog"}
name = names[jnp.argmax(jnp.ones(2))]  # E: tracing
# %% a number that looks a name up
names = {0: "cat", 1: "dog"}
name = names[int(jnp.argmax(jnp.ones(2)))]
# %% a traced array that a custom rule is not differentiated by
@partial(jax.custom_vjp, nondiff_argnums=(1,))
def kept(x, mask):
    return x * mask


kept.defvjp(lambda x, mask: (kept(x, mask), None), lambda mask, _, g: (g * mask,))
jax.jit(lambda x, mask: kept(x, mask))(jnp.ones(3), jnp.ones(3))  # E: tracing
# %% a number that it is not differentiated by
@partial(jax.custom_vjp, nondiff_argnums=(1,))
def kept(x, rate):
    return x * rate


kept.defvjp(lambda x, rate: (kept(x, rate), None), lambda rate, _, g: (g * rate,))
jax.grad(lambda x: kept(x, 0.5).sum())(jnp.ones(3))
kept(jnp.ones(3), jnp.ones(3))


# %% a static argument that the function does not have
@partial(jax.jit, static_argnames=("n", "training"))  # E(engine, show, server, true): tracing: "scaled" are (x, n)
def scaled(x, n):
    return x * n
scaled(jnp.ones(3), n=2)


# %% a static argument behind the last one
def scaled(x, n):
    return x * n
jax.jit(scaled, static_argnums=4)  # E: tracing  # E(plugin): tracing


# %% a static argument among any keywords
@partial(jax.jit, static_argnames=("n", "training"))
def scaled(x, **options):
    return x * options["n"]
x = scaled(jnp.ones(3), n=2)  # P: x: float32[3]  # P(plugin): x: maybe weak float32[3]
