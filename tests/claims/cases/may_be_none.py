"""Values that are None on some ways."""

# one python
# argv: 2 1
# argv: 0 0

import sys

import jax
import jax.numpy as jnp

n, flag = (int(each) for each in sys.argv[1:3])


# %% a test of a number for None
size = 4 if flag else None
if size is None:
    size = 5
x = jnp.zeros((3, size))  # P: x: float32[3, ?]


# %% a choice by the same test
scale = 2.0 if flag else None
x = jnp.ones(3, "bfloat16") * (scale if scale is not None else 1.0)  # P: x: bfloat16[3]


# %% a choice by a test of an attribute
class Config:
    scale = 2.0 if flag else None


x = jnp.ones(3, "bfloat16") * (1.0 if Config.scale is None else Config.scale)  # P: x: bfloat16[3]


# %% a choice that is not of what is tested
a = jnp.ones(3) if flag else None
b = jnp.ones(4) if flag else None
x = jnp.ones(5) if a is None else b  # P: x: ?


# %% an array that is used where it is one
bias = jnp.ones(3) if flag else None
x = jnp.zeros((2, 3))  # P: x: float32[2, 3]
if bias is not None:
    x = x + bias  # P: x: float32[2, 3]
y = x if not flag else x.astype("int32")  # P: y: ?[2, 3]


# %% a function with an argument that may be None
def shifted(x, shift):
    if shift is None:
        return x
    y = x + shift  # P: y: float32[3]  # P(plugin): y: ?
    return y


x = shifted(jnp.ones(3), jnp.ones(()) if flag else None)  # P: x: float32[3]


# %% an axis that may be None
axis = 0 if flag else None
x = jnp.sum(jnp.ones((3, 4)), axis=axis)  # P: x: float32[...]


# %% an index that may be None
index = 0 if flag else None
x = jnp.ones((3, 4))[index]  # P: x: float32[...]


# %% an array that may be None as an argument of JAX
low = jnp.zeros(()) if flag else None
x = jnp.clip(jnp.ones(3), low, 1.0)  # P: x: float32[...]  # P(plugin): x: maybe weak float32[3]


# %% the least of a loop
best = None
for i in range(n):
    loss = jnp.sum(jnp.ones(3) * i)  # P: loss: float32[]
    if best is None or loss < best:
        best = loss  # P: best: float32[]
x = jnp.zeros(()) if best is None else best  # P: x: float32[]


# %% a number or what stands for it
width = n or None
x = jnp.zeros((3, width or 7))  # P: x: float32[3, ?]


# %% a number that is zero
width = 0 if flag else None
x = jnp.zeros((3, width or 7))  # P: x: float32[3, ?]


# %% the truth of an array that may be None
mask = jnp.ones(()) if flag else None
x = jnp.ones(3, "bfloat16") * 2 if mask else jnp.ones(3)  # P: x: ?[3]


# %% equality with None
other = 2 if flag else None
x = jnp.zeros(3 if other == None else 4)  # noqa: E711  # the operator is what is tried  # P: x: float32[?]


# %% a list that may be None
xs = [jnp.ones(3)] if flag else None
if xs is None:
    xs = [jnp.ones(4)]
xs.append(jnp.ones(5))
x = xs[0]  # P: x: ?  # P(plugin): x: maybe weak float32[?]


# %% an argument of jit that may be None
@jax.jit
def f(x, y):
    return x if y is None else x + y


x = f(jnp.ones(3), jnp.ones(3, "int32") if flag else None)  # P: x: float32[3]


# %% a carry that begins with None
state = None
for i in range(n):
    state = jnp.ones(3) if state is None else state * 2  # P: state: float32[3]
x = jnp.zeros(3) if state is None else state  # P: x: float32[3]


# %% a method of an object whose part may be None
class Layer:
    def __init__(self, bias):
        self.bias = jnp.zeros(4) if bias else None

    def __call__(self, x):
        y = x @ jnp.ones((3, 4))  # P: y: float32[2, 4]  # P(plugin): y: ?
        if self.bias is not None:
            y = y + self.bias  # P: y: float32[2, 4]  # P(plugin): y: ?
        return y


x = Layer(flag)(jnp.ones((2, 3)))  # P: x: float32[2, 4]
