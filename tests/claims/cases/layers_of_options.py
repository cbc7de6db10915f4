"""Layers whose number and sizes only a run knows."""

# one python
# argv: 4 3 2
# argv: 5 2 3

import sys
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

b, c, n = (int(each) for each in sys.argv[1:4])
v = jnp.zeros(n)

def layer(size, hidden):
    return {"w": jnp.zeros((size, 4 * hidden)), "u": jnp.zeros((hidden, 4 * hidden)), "b": jnp.zeros(4 * hidden)}
def cell(p, h, x):
    a, d, e, f = jnp.split(x @ p["w"] + h @ p["u"] + p["b"], 4, axis=-1)
    h = jnp.tanh(a + d) * e + f
    return h, h
params = {"in": jnp.zeros((9, 8)), "layers": [], "out": jnp.zeros((b, 5))}
size = 8
for _ in range(n):
    params["layers"].append(layer(size, b))
    size = b
def forward(params, y):
    y = params["in"][y]
    for p in params["layers"]:
        _, y = jax.lax.scan(partial(cell, p), jnp.zeros((6, b)), y)
    return y @ params["out"]
def loss(params, y):
    return forward(params, y).mean()


# %% the layers, one after the other
x = forward(params, jnp.zeros((3, 6), int))  # P: x: float32[3, 6, 5]  # P(plugin): x: ?


# %% a jitted loss
x = jax.jit(loss)(params, jnp.zeros((c, 6), int))  # P: x: float32[]  # P(plugin): x: ?[]


# %% its gradient
g = jax.grad(loss)(params, jnp.zeros((3, 6), int))
x = g['in']  # P: x: float32[9, 8]


# %% all parameters with another dtype
g = jax.tree.map(lambda p: p.astype('float16'), params)
x = g['layers'][0]['b']  # P: x: float16[?]  # P(plugin): x: ?


# %% parameters after a step of optax
import optax
o = optax.adam(0.1)
s = o.init(params)
u, s = o.update(jax.tree.map(jnp.ones_like, params), s, params)
params = optax.apply_updates(params, u)
x = params['out'] + params['layers'][0]['b'][0]  # P: x: float32[?, 5]  # P(plugin): x: ?
