"""What each round of a loop makes, and changes after that: the next round makes another one."""

# one python

import jax.numpy as jnp
from nowhere import unknown


# %% a dict of one of two calls, with what an object has
# unknown: [True, False]
# unknown: [False]
class Layer:
    def __init__(self, n):
        self.w = jnp.ones(n)
    def double(self):
        self.w = self.w * 2
def told(n): return {'n': n}
for chosen in unknown:
    layer = Layer(3)
    layer.double()
    if chosen:
        row = told(1)
    else:
        row = told(2)
    row['w'] = layer.w
x = row['w']  # P: x: float32[3]  # P(plugin): x: ?


# %% what the round before has made of one of two calls
# unknown: [True, False]
# unknown: [False]
def told(n): return {'n': n}
row = {'n': 1, 'w': jnp.ones(3)}
for chosen in unknown:
    x = row['w']  # P: x: float32[3]  # P(plugin): x: ?
    if chosen:
        row = told(1)
    else:
        row = told(2)
    row['w'] = x


# %% an object that its class fills
# unknown: [True, False]
class Layer:
    def __init__(self, n):
        self.w = jnp.ones(n)
    def double(self):
        self.w = self.w * 2
        return self.w
for chosen in unknown:
    layer = Layer(3)
    x = layer.double()  # P: x: float32[3]  # P(plugin): x: ?


# %% an object that one way fills
# unknown: [True, False]
# unknown: [False]
class Layer:
    def __init__(self, n):
        self.w = jnp.ones(n)
kept = Layer(3)
for chosen in unknown:
    if chosen:
        layer = Layer(4)
        kept.w = layer.w
    x = kept.w  # P: x: float32[?]  # P(plugin): x: ?


# %% a class that gives the object that it has
# unknown: True
# unknown: False
class Only:
    kept = None
    def __new__(cls, n):
        if cls.kept is None:
            cls.kept = object.__new__(cls)
        return cls.kept
    def __init__(self, n):
        self.w = jnp.ones(n)
first = Only(3)
if unknown:
    second = Only(4)
x = first.w  # P: x: ?  # P(plugin): x: float32[...]
