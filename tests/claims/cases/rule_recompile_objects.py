"""Jitted methods and objects, and jitted functions under transformations, that JAX compiles again, each with a right twin."""

# only: engine, show - JAX runs such programs, and `test_rules` asks it; mypy has errors alone, and these are information
import functools

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np


# %% a method with a static self
class Scale:
    def __init__(self):
        self.factor = 2.0

    @functools.partial(jax.jit, static_argnums=0)
    def scaled(self, x):
        return x * self.factor


scale = Scale()
ys = [scale.scaled(jnp.ones(n)) for n in (1, 2, 3)]  # E: compiled: scaled is compiled 3 times: x is float32[1], float32[2], float32[3]
# %% a method that is jitted inside of another
class Scale:
    @functools.partial(jax.jit, static_argnums=0)
    def scaled(self, x):
        return x * 2


scale = Scale()
both = jax.jit(lambda x: (scale.scaled(x), scale.scaled(x[:2])))
y = both(jnp.ones(3))


# %% leaves of a tree
@jax.jit
def norm(x):
    return jnp.sqrt((x**2).sum())


norms = jax.tree.map(norm, {"w": jnp.ones((3, 2)), "b": jnp.ones(2)})  # E: compiled: x is float32[2], float32[3, 2]; give it one shape
# %% leaves of a tree in a jitted function
@jax.jit
def norm(x):
    return jnp.sqrt((x**2).sum())


norms = jax.jit(lambda tree: jax.tree.map(norm, tree))({"w": jnp.ones((3, 2)), "b": jnp.ones(2)})


# %% a scan over a jitted function, and a call
@jax.jit
def cell(h, x):
    return h + x, h


h, _ = cell(jnp.zeros(2), jnp.ones(2))
h, _ = cell(h, 1.0)  # E: compiled: x is float32[2], weak float32[]; give it one shape
# %% a scan over a jitted function
@jax.jit
def cell(h, x):
    return h + x, h


h, _ = jax.lax.scan(cell, jnp.zeros(2), jnp.ones((5, 2)))
h, _ = cell(h, jnp.ones(2))


# %% two lengths of a gradient
value = jax.jit(jax.value_and_grad(lambda w: (w**2).sum()))
a = value(jnp.ones(3))
b = value(jnp.ones(4))  # E: compiled: pad axis 0
# %% two lengths under vmap
square = jax.jit(lambda w: (w**2).sum())
a = [jax.vmap(square)(jnp.ones((2, 3))) for _ in range(2)]


# %% a key that is old, and one that is new
@jax.jit
def noise(key):
    return jax.random.normal(jax.random.wrap_key_data(key) if key.ndim else key)


a = noise(jax.random.key(0))
b = noise(jax.random.PRNGKey(0))  # E: compiled: key is key<fry>[], uint32[2]; give it one
# %% keys of one kind
@jax.jit
def noise(key):
    return jax.random.normal(key)


a = noise(jax.random.key(0))
b = noise(jax.random.key(1))


# %% an array that grows
@jax.jit
def total(x):
    return x.sum()


history = jnp.zeros(1)
for _ in range(3):
    history = jnp.append(history, total(history))  # E: compiled: 3 times: x is float32[1], float32[2], float32[3]; pad
# %% an array of fixed size that is filled
@jax.jit
def total(x):
    return x.sum()


history = jnp.zeros(4)
for i in range(3):
    history = history.at[i].set(total(history))


# %% a number of Equinox
@eqx.filter_jit
def shifted(x, by):
    return x + by


for i in range(3):
    y = shifted(jnp.ones(3), i)  # E: compiled: 3 times: by is 0, 1, 2; pass it as an array
# %% an array of Equinox
@eqx.filter_jit
def shifted(x, by):
    return x + by


for i in range(3):
    y = shifted(jnp.ones(3), jnp.asarray(i))


# %% a rank that differs
@jax.jit
def first(x):
    return x[0]


def main():
    for x in (jnp.ones(3), jnp.ones((3, 3))):
        first(x)  # E: compiled: x is float32[3], float32[3, 3]; give it one shape


main()
# %% one way or the other
# unknown: True
# unknown: False
from nowhere import flag  # noqa: E402  # each case has imports of its own


@jax.jit
def first(x):
    return x[0]


x = jnp.ones(3) if flag else jnp.ones((3, 3))
if flag:
    first(jnp.ones(4))
else:
    first(jnp.ones(5))


# %% a call that is not known
# unknown: np.ones(3)
from nowhere import u  # noqa: E402  # each case has imports of its own


@jax.jit
def total(x):
    return x.sum()


a = total(jnp.ones(2)) + total(u)
b = total(jnp.ones(1))  # E: compiled: total is compiled 2 times or more: x is float32[2], float32[1]
# %% a call of what is known beside others
# unknown: np.ones(2)
from nowhere import u  # noqa: E402  # each case has imports of its own


@jax.jit
def total(x):
    return x.sum()


a = total(jnp.ones(2)) + total(u)
b = total(jnp.zeros(2))


# %% an object that is called
class Shift:
    @functools.partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return x + 1


shift = Shift()
a = shift(jnp.ones(2))
b = shift(jnp.ones(3))  # E: compiled: __call__ is compiled 2 times: x is float32[2], float32[3]; pad axis 0
# %% an object that is called with one shape
class Shift:
    @functools.partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return x + 1


shift = Shift()
a = shift(jnp.ones(2))
b = shift(shift(a))
