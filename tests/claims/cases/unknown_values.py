"""Values that come from a module that is not there."""

# one python

from collections import namedtuple

import jax
import jax.numpy as jnp
import numpy as np
from nowhere import unknown


# %% a class with an unknown part
# unknown: lambda: 1
class A:
    part = unknown()
def unused(i: int): return A
x = jnp.ones(3)  # P: x: float32[3]


# %% a row that is set to something unknown
# unknown: lambda: 1.0
# unknown: lambda: jnp.ones(4)
from flax import nnx
v = nnx.Variable(jnp.zeros((3, 4)))
v[...] += 1
v[0] = unknown()
x = v[...] + v[0]  # P: x: maybe weak float32[3, 4]  # P(plugin): x: ?


# %% an unknown default
Pair = namedtuple('Pair', 'a b', defaults=[unknown])
pair = jax.jit(lambda pair: pair._replace(a=pair.a * 2))(Pair(jnp.ones(3), 1))
x = pair.a  # P: x: float32[3]  # P(plugin): x: ?


# %% numbers of Python and NumPy
# unknown: 5
# To JAX a number of NumPy's is not weak, whatever number of Python's it meets.
n, levels = int(unknown), np.array([2, 6])
x = jnp.ones(3, 'bfloat16') * (4.0 * (n - levels[0]) / 2)  # P: x: float32[3]  # P(plugin): x: ?


# %% a number of Python with one of NumPy
# unknown: 5
# unknown: 2.5
x = jnp.ones(3, 'bfloat16') * (float(unknown) * np.int64(2))  # P: x: float32[3]


# %% rows beside unknown ones
# unknown: jnp.ones((5, 1))
# unknown: jnp.ones(1)
# One row is what an array of rank 0 or 1 would be here, but one of rank 2 may have several.
def f(a, b):
    x = jnp.vstack([a, b])  # P: x: ?[?, 1]  # P(plugin): x: ?
    return x
jax.vmap(f)(jnp.ones((2, 4, 1)), jnp.stack([unknown, unknown]))


# %% where a text has another one that is not known
# unknown: lambda: "abca"
text = str(unknown())
x = jnp.array(["abc".index(letter) for letter in text])  # P: x: int32[?]  # P(plugin): x: ?[?]
y = jnp.arange(3) + text.count("a")  # P: y: int32[3]
z = jnp.zeros(3) + "b".find(text)  # P: z: float32[3]
w = jnp.where("b".isdigit() or text.startswith("a"), jnp.zeros(2), 1.0)  # P: w: float32[2]


# %% the parts of a text that is not known
# unknown: lambda: "a:b"
text = str(unknown())
before, mark, after = text.partition(":")
x = jnp.zeros(3) + after.rfind("b")  # P: x: float32[3]
y = jnp.array([1 for part in text.rsplit(":")], jnp.int8)  # P: y: int8[?]


# %% a function that is named as something unknown is called by nothing unknown
# unknown: len
def named(f):
    for name in ("__name__", "__qualname__", "__module__"):
        setattr(f, name, getattr(unknown, name))
    f.__qualname__ = unknown.__qualname__
    return f
@named
def double(x):
    y = x * 2  # P: y: float32[3]  # P(plugin): y: ?
    return y
z = double(jnp.ones(3))  # P: z: float32[3]  # P(plugin): z: ?
