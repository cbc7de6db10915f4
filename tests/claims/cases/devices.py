"""Arrays that several devices share, of which the number is not known."""

# one python

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ('i',))


# %% a part of the rows
@partial(jax.shard_map, mesh=mesh, in_specs=P('i'), out_specs=P('i'))
def f(a):
    x = a * 2  # P: x: float32[?, 3]  # P(plugin): x: ?
    return x
f(jnp.ones((8, 3)))


# %% the parts together
x = jax.shard_map(lambda a: a, mesh=mesh, in_specs=P('i'), out_specs=P('i'))(jnp.ones((8, 3)))  # P: x: float32[8, 3]  # P(plugin): x: ?


# %% a number of rows that few numbers divide
# Only some number of devices divides this one: which, is not known.
@partial(jax.shard_map, mesh=mesh, in_specs=P('i'), out_specs=P('i'))
def f(a):
    x = a * 2  # P: x: ?
    return x
f(jnp.ones((37, 3)))


# %% as many rows as some machine has devices
# only: engine, show, server - JAX accepts eight rows on a machine with eight devices
y = jax.pmap(lambda a: a.sum())(jnp.ones((8, 3)))  # P: y: float32[8]
z = jax.pmap(lambda a, b: a + b, in_axes=(0, None))(jnp.ones((8, 3)), jnp.ones(3))  # P: z: float32[8, 3]


# %% rows that do not fit, on any number of devices
y = jax.pmap(lambda a, b: a + b, in_axes=(0, None))(jnp.ones((1, 3)), jnp.ones(4))  # E(engine, show, server, true): shape
