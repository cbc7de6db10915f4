"""Functions that are called for the rows of an array, and once more for each device, of which a part is not known: what is said of them holds for all that the part may be, and is enough."""

# one python

import jax
import jax.numpy as jnp
from jax import lax
from nowhere import u


# %% psum of integers
def of_row(r, v):
    x = lax.psum(r, 'i')  # P: x: int8[3]  # P(plugin): x: ?
    return r
jax.vmap(of_row, (0, None), axis_name='i')(jnp.ones((1, 3), 'int8'), u)
jax.pmap(of_row, 'i', in_axes=(0, None))(jnp.ones((1, 3), 'int8'), u)


# %% psum of bools
def of_row(r, v):
    x = lax.psum(r > 0, 'i')  # P: x: int32[3]  # P(plugin): x: ?
    return r
jax.vmap(of_row, (0, None), axis_name='i')(jnp.ones((1, 3)), u)
jax.pmap(of_row, 'i', in_axes=(0, None))(jnp.ones((1, 3)), u)


# %% pmean of integers
def of_row(r, v):
    x = lax.pmean(r, 'i')  # P: x: float32[3]  # P(plugin): x: ?
    return r
jax.vmap(of_row, (0, None), axis_name='i')(jnp.ones((1, 3), 'int8'), u)
jax.pmap(of_row, 'i', in_axes=(0, None))(jnp.ones((1, 3), 'int8'), u)


# %% psum of weak floats
# Weak under `vmap`, and not under `pmap`.
def of_row(r, v):
    x = lax.psum(r, 'i')  # P: x: maybe weak float32[3]  # P(plugin): x: ?
    return r
jax.vmap(of_row, (0, None), axis_name='i')(jnp.full((1, 3), 2.0), u)
jax.pmap(of_row, 'i', in_axes=(0, None))(jnp.full((1, 3), 2.0), u)


# %% pmax of weak integers
def of_row(r, v):
    x = jnp.ones(3, 'int8') * lax.pmax(r, axis_name='i')  # P: x: ?[3]  # P(plugin): x: ?
    return r
jax.vmap(of_row, (0, None), axis_name='i')(jnp.full((1, 3), 2), u)
jax.pmap(of_row, 'i', in_axes=(0, None))(jnp.full((1, 3), 2), u)


# %% pmin of a tree
def of_row(r, v):
    x = lax.pmin({'w': r}, 'i')['w'] @ r  # P: x: bfloat16[]  # P(plugin): x: ?
    return r
jax.vmap(of_row, (0, None), axis_name='i')(jnp.ones((1, 3), 'bfloat16'), u)
jax.pmap(of_row, 'i', in_axes=(0, None))(jnp.ones((1, 3), 'bfloat16'), u)


# %% all_gather
def of_row(r, v):
    x = lax.all_gather(r, 'i')  # P: x: float32[?, 3]  # P(plugin): x: ?
    return r
jax.vmap(of_row, (0, None), axis_name='i')(jnp.ones((1, 3)), u)
jax.pmap(of_row, 'i', in_axes=(0, None))(jnp.ones((1, 3)), u)


# %% all_gather along the second axis
def of_row(r, v):
    x = lax.all_gather(r, 'i', axis=1)  # P: x: float32[3, ?]  # P(plugin): x: ?
    return r
jax.vmap(of_row, (0, None), axis_name='i')(jnp.ones((1, 3)), u)
jax.pmap(of_row, 'i', in_axes=(0, None))(jnp.ones((1, 3)), u)


# %% all_gather into one axis
def of_row(r, v):
    x = lax.all_gather(r, 'i', tiled=True)  # P: x: float32[?]  # P(plugin): x: ?
    return r
jax.vmap(of_row, (0, None), axis_name='i')(jnp.ones((1, 3)), u)
jax.pmap(of_row, 'i', in_axes=(0, None))(jnp.ones((1, 3)), u)


# %% axis_index
def of_row(r, v):
    x = lax.axis_index('i') + r  # P: x: int32[3]  # P(plugin): x: ?
    return r
jax.vmap(of_row, (0, None), axis_name='i')(jnp.ones((1, 3), 'int8'), u)
jax.pmap(of_row, 'i', in_axes=(0, None))(jnp.ones((1, 3), 'int8'), u)


# %% psum of a number
# Of a Python number it is one, and an array of an int of NumPy's.
def of_row(r, v):
    x = r * lax.psum(1, 'i')  # P: x: int8[3]  # P(plugin): x: ?
    return r
jax.vmap(of_row, (0, None), axis_name='i')(jnp.ones((1, 3), 'int8'), u)
jax.pmap(of_row, 'i', in_axes=(0, None))(jnp.ones((1, 3), 'int8'), u)


# %% pmean of a number
def of_row(r, v):
    x = r * lax.pmean(1, 'i')  # P: x: bfloat16[3]  # P(plugin): x: ?
    return r
jax.vmap(of_row, (0, None), axis_name='i')(jnp.ones((1, 3), 'bfloat16'), u)
jax.pmap(of_row, 'i', in_axes=(0, None))(jnp.ones((1, 3), 'bfloat16'), u)


# %% psum of a bool
def of_row(r, v):
    x = r * lax.psum(True, 'i')  # P: x: int32[3]  # P(plugin): x: ?
    return r
jax.vmap(of_row, (0, None), axis_name='i')(jnp.ones((1, 3), 'int8'), u)
jax.pmap(of_row, 'i', in_axes=(0, None))(jnp.ones((1, 3), 'int8'), u)


# %% psum in scan
def of_row(r, v):
    x = lax.scan(lambda c, y: (c + lax.psum(r, 'i'), y), r, r)[0]  # P: x: float32[3]  # P(plugin): x: ?
    return r
jax.vmap(of_row, (0, None), axis_name='i')(jnp.ones((1, 3)), u)
jax.pmap(of_row, 'i', in_axes=(0, None))(jnp.ones((1, 3)), u)


# %% psum in vmap
def of_row(r, v):
    x = jax.vmap(lambda y: lax.psum(y, 'i'), axis_name='i')(r)  # P: x: float32[3, 2]  # P(plugin): x: ?
    return r
jax.vmap(of_row, (0, None), axis_name='i')(jnp.ones((1, 3, 2)), u)
jax.pmap(of_row, 'i', in_axes=(0, None))(jnp.ones((1, 3, 2)), u)


# %% psum of something unknown
def of_row(r, v):
    x = lax.psum(jnp.float32(v), 'i')  # P: x: float32[...]  # P(plugin): x: ?
    return r
jax.vmap(of_row, (0, None), axis_name='i')(jnp.ones((1, 3)), u)
jax.pmap(of_row, 'i', in_axes=(0, None))(jnp.ones((1, 3)), u)
