"""`functools.singledispatch` on what JAX traces. Each program that is wrong has a twin that is right."""

# only: engine, show, server - JAX runs such programs, and `test_rules` asks it; mypy has errors alone
import functools

import jax
import jax.numpy as jnp
import numpy as np


# %% under jit
@functools.singledispatch
def size(x):
    return 0.0


@size.register
def _(x: jax.Array):
    return x.sum()


y = jax.jit(lambda x: size(x))(jnp.ones(3))  # E: dispatch: x is traced here (float32[3]), so size takes its function for object
# %% at once
@functools.singledispatch
def size(x):
    return 0.0


@size.register
def _(x: jax.Array):
    return x.sum()


y = size(jnp.ones(3))


# %% under grad
@functools.singledispatch
def weight(x):
    return 0.0


@weight.register(jax.Array)
def of_arrays(x):
    return 1.0


def loss(x):
    return jnp.sum(x) * weight(x)  # E: dispatch: weight takes its function for object


g = jax.grad(loss)(jnp.ones(3))
# %% under grad, by isinstance
def weight(x):
    return 1.0 if isinstance(x, jax.Array) else 0.0


def loss(x):
    return jnp.sum(x) * weight(x)


g = jax.grad(loss)(jnp.ones(3))


# %% under vmap
@functools.singledispatch
def doubled(x):
    return x


doubled.register(jax.Array, lambda x: 2 * x)
y = jax.vmap(lambda row: doubled(row))(jnp.ones((2, 3)))  # E: dispatch: doubled takes
# %% a number under vmap
@functools.singledispatch
def doubled(x):
    return x


doubled.register(jax.Array, lambda x: 2 * x)
y = jax.vmap(lambda row: row * doubled(2.0))(jnp.ones((2, 3)))


# %% in a loop of JAX
@functools.singledispatch
def step(x):
    return x


@step.register
def _(x: jax.Array):
    return x + 1


y = jax.lax.fori_loop(0, 3, lambda i, x: step(x), jnp.zeros(2))  # E: dispatch: step takes
# %% in a loop of Python
@functools.singledispatch
def step(x):
    return x


@step.register
def _(x: jax.Array):
    return x + 1


y = jnp.zeros(2)
for _ in range(3):
    y = step(y)


# %% one of two classes
@functools.singledispatch
def kind(x):
    return jnp.zeros(1)


@kind.register
def _(x: np.ndarray | jax.Array):
    return jnp.zeros(2)


y = jax.jit(lambda x: kind(x))(jnp.ones(3))  # E: dispatch: kind takes its function for object, not that for Array
# %% an array of NumPy
@functools.singledispatch
def kind(x):
    return jnp.zeros(1)


@kind.register
def _(x: np.ndarray | jax.Array):
    return jnp.zeros(2)


y = jax.jit(lambda x: kind(np.ones(3)) + x)(jnp.ones(2))


# %% a function of another
@functools.singledispatch
def norm(x):
    return jnp.float32(0)


@norm.register
def _(x: jax.Array):
    return jnp.sqrt(jnp.sum(x**2))


def total(tree):
    return sum(norm(leaf) for leaf in jax.tree.leaves(tree))  # E: dispatch: norm takes


y = jax.jit(total)({"a": jnp.ones(3), "b": jnp.ones(2)})
# %% a function for tracers, too
@functools.singledispatch
def norm(x):
    return jnp.float32(0)


def of_arrays(x):
    return jnp.sqrt(jnp.sum(x**2))


for cls in (jax.Array, jax.core.Tracer):
    norm.register(cls, of_arrays)


def total(tree):
    return sum(norm(leaf) for leaf in jax.tree.leaves(tree))


y = jax.jit(total)({"a": jnp.ones(3), "b": jnp.ones(2)})


# %% a container of traced arrays
@functools.singledispatch
def length(x):
    return 1


@length.register
def _(x: jax.Array):
    return len(x)


@length.register
def _(x: list):
    return sum(length(each) for each in x)  # E: dispatch: length takes


y = jax.jit(lambda x: jnp.zeros(length([x, x])))(jnp.ones(3))
# %% a container of numbers
@functools.singledispatch
def length(x):
    return 1


@length.register
def _(x: list):
    return sum(length(each) for each in x)


y = jax.jit(lambda x: jnp.zeros(length([1, [2, 3]])) + x)(jnp.ones(3))


# %% a carry of scan
@functools.singledispatch
def clipped(x):
    return x


@clipped.register
def _(x: jax.Array):
    return jnp.clip(x, -1, 1)


y, _ = jax.lax.scan(lambda c, x: (clipped(c + x), None), jnp.zeros(2), jnp.ones((4, 2)))  # E: dispatch: clipped takes
# %% a carry of scan that is clipped everywhere
@functools.singledispatch
def clipped(x):
    return jnp.clip(x, -1, 1)


@clipped.register
def _(x: float):
    return min(max(x, -1.0), 1.0)


y, _ = jax.lax.scan(lambda c, x: (clipped(c + x), None), jnp.zeros(2), jnp.ones((4, 2)))
