"""Functions that nothing calls: what they do with others says nothing of the calls that the program makes."""

# only: engine, show, true - mypy looks at functions one by one
# one python

import jax
import jax.numpy as jnp
from nowhere import unknown


# %% a method that nothing calls
def orthogonalize(m):
    m = m / jnp.linalg.norm(m)  # P: m: float32[32, 16]
    a = m.T @ m  # P: a: float32[16, 16]
    return m @ a  # P: return: float32[32, 16]
class Linear:
    def initialize(self, key):
        weight = jax.random.normal(key, (32, 16))
        return [orthogonalize(weight) * 2]
    def project(self, w):
        return [orthogonalize(w[0]) * 2]
a = Linear().initialize(jax.random.key(0))


# %% a function that nothing calls, with other sizes and another dtype
def twice(x):
    y = x * 2  # P: y: float32[3]
    return y  # P: return: float32[3]
def halves():
    return twice(jnp.ones(5, jnp.bfloat16))
x = twice(jnp.ones(3))  # P: x: float32[3]


# %% through two functions that nothing calls
def twice(x):
    y = x * 2  # P: y: float32[3]
    return y
def inner(x):
    return twice(x)
def outer():
    return inner(jnp.ones(5))
x = twice(jnp.ones(3))  # P: x: float32[3]


# %% a function that only one calls that nothing calls
# only: engine, show - where it is run, nothing comes there
def twice(x):
    y = x * 2  # P: y: ?
    return y
def five():
    return twice(jnp.ones(5))


# %% what such a function changes is not changed where others are called
width = 3
table = {"x": jnp.ones(3)}
rows = []
class Model:
    def __init__(self):
        self.w = jnp.ones(3)
    def call(self):
        w = self.w  # P: w: float32[3]
        return w
    def load(self, path):
        self.w = unknown(path)
model = Model()
def reads():
    x = jnp.ones(width)  # P: x: float32[3]
    y = table["x"]  # P: y: float32[3]
    z = rows[0] if rows else x  # P: z: float32[3]
    return x + y + z + model.call()  # P: return: float32[3]
def a_changes():
    global width
    width = 5
    table["x"] = jnp.ones(5)
    rows.append(jnp.ones(5))
    model.w = jnp.ones(5)
    return reads()
before = reads()
after = reads()  # P: after: float32[3]
def z_changes():
    table.clear()
    model.load("x")
    return reads()


# %% a function that such a one makes and calls
def twice(x):
    y = x * 2  # P: y: float32[3]
    return y
def makes():
    return jax.vmap(lambda row: twice(row))(jnp.ones((5, 2)))
x = twice(jnp.ones(3))


# %% an object that something unknown has: it may call none of its methods
# unknown: lambda value: None
class Model:
    def __init__(self):
        self.w = jnp.ones(3)
    def describe(self, batch):
        return norm(batch)
def norm(x):
    y = jnp.sqrt((x * x).sum())  # P: y: float32[]
    z = x / y  # P: z: float32[3]
    return z
model = Model()
x = norm(model.w)
unknown(model)


# %% a function that something unknown has: it may call it with anything
# unknown: lambda f: f(jnp.ones(5, jnp.bfloat16))
def norm(x):
    z = x / 2  # P: z: ?
    return z
x = norm(jnp.ones(3))  # P: x: float32[3]
unknown(norm)


# %% a method that something unknown has
# unknown: lambda f: f(jnp.ones(5, jnp.bfloat16))
class Model:
    def norm(self, x):
        z = x / 2  # P: z: ?
        return z
model = Model()
x = model.norm(jnp.ones(3))  # P: x: float32[3]
unknown(model.norm)


# %% a callback of a library's function whose other arguments are not known
# unknown: jnp.ones((2, 5), jnp.bfloat16)
def body(carry, x):
    y = x * 2  # P: y: ?
    return carry, y
a = body(0, jnp.ones(3))
b = jax.lax.scan(body, 0, unknown)


# %% a function that nothing calls hands one out
# unknown: lambda f: f(jnp.ones(5, jnp.bfloat16))
def norm(x):
    z = x / 2  # P: z: float32[3]
    return z
x = norm(jnp.ones(3))
def hands_out():
    return unknown(norm)


# %% a module's text that ends early calls what it would have called
# only: engine - it does not end
def norm(x):
    z = x / 2  # P: z: ?[?]
    return z
def main():
    return norm(jnp.ones(5, jnp.bfloat16))
x = norm(jnp.ones(3))
raise RuntimeError("not on this machine")
main()


# %% a method of an object of which nothing is known
# unknown: lambda classes: classes["A"]()
class A:
    def call(self, x):
        return norm(x)
def norm(x):
    z = x / 2  # P: z: ?
    return z
y = norm(jnp.ones(3))
made = unknown({"A": A})
made.call(jnp.ones(5, jnp.bfloat16))
