"""A program that nothing is wrong with: evaluated before and after a hostile one, it must come out the same."""

import collections
import fractions
import math

import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np

x = jnp.ones((3, 4))
a = jnp.sin(x) + jnp.cos(x) + jnp.tan(x) + jnp.exp(x) + jnp.tanh(x)
b = jnp.abs(x).sum()
c = jnp.asarray(np.zeros(len([1, 2, 3])))
d = jnp.full(int(math.sqrt(9)), 2.5)
e = jax.vmap(eqx.nn.Linear(4, 2, key=jax.random.key(0)))(x)
layer = nn.Dense(5)
f = layer.apply(layer.init(jax.random.PRNGKey(0), x), x)
g = jnp.int8(1) + jnp.float32(2)
h = x + jnp.ones(4)
i = jnp.stack([jnp.float32(k) for k in range(3)])
leaves = jax.tree.leaves([fractions.Fraction(1, 2), np.ones(2), np.float32(1)])
j = jnp.zeros(len(leaves))
k = jnp.stack(list(collections.OrderedDict(first=x, second=x).values()))
m = jax.jit(lambda v: v @ v.T)(x)
n = jnp.asarray([1.5]).astype(jnp.float32.dtype) if isinstance(x, jax.Array) else None
o = jax.nn.initializers.ones(jax.random.key(1), (2,))
p = jax.jvp(jax.nn.relu, (x,), (x,))[1]
