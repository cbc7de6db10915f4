"""Maps and random keys of which a part is not known: what is said of them holds for all that the part may be, and is enough."""

# one python

import jax
import jax.numpy as jnp
from jax import lax
from nowhere import u


# %% map over something unknown
x = lax.map(lambda r: r * 2, jnp.asarray(u))  # P: x: ?


# %% map over rows beside unknown ones
x = lax.map(lambda r: r[0] @ jnp.ones((3, 2)), (jnp.ones((4, 3)), u))  # P: x: float32[4, 2]  # P(plugin): x: ?


# %% map in batches
x = lax.map(lambda r: r[0] * r[1], (jnp.ones((4, 3)), u), batch_size=2)  # P: x: ?


# %% map with something unknown
x = lax.map(lambda r: r + jnp.sum(u), jnp.ones((4, 3)))  # P: x: ?[4, 3]


# %% map over unknown rows of a known number
# Of two rows, whatever else has two.
def f(r):
    x = jax.vmap(jnp.max)(r[0])  # P: x: ?[?]  # P(plugin): x: ?
    return r[1]
lax.map(f, (jnp.stack([u, u]), jnp.ones((2, 4))))


# %% associative_scan of something unknown
x = lax.associative_scan(lambda a, b: a + b, jnp.full((4, 3), 2.0) * jnp.float32(u))  # P: x: maybe weak float32[...]


# %% associative_scan beside something unknown
x, _ = lax.associative_scan(lambda a, b: (a[0] @ b[0], a[1]), (jnp.ones((4, 3, 3)), u))  # P: x: maybe weak float32[4, 3, 3]  # P(plugin): x: ?


# %% the function of associative_scan
def f(a, b):
    x = a[0]  # P: x: float32[?, 3]  # P(plugin): x: ?
    return a
lax.associative_scan(f, (jnp.ones((7, 3)), u))


# %% split of an unknown key
# Random keys of both kinds, of which those of the old one are rows of two numbers.
x = jax.random.split(jnp.asarray(u))[0]  # P: x: ?


# %% split of unknown keys
x = jax.vmap(lambda k: jax.random.split(k)[0])(jnp.asarray(u))  # P: x: ?


# %% numbers of unknown keys
x = jax.vmap(lambda k: jax.random.uniform(k, (3,)))(jnp.asarray(u))  # P: x: float32[?, 3]  # P(plugin): x: ?


# %% fold_in in a loop
x = lax.fori_loop(0, 3, lambda i, k: jax.random.fold_in(k, i), jnp.asarray(u))  # P: x: ?


# %% a choice among an unknown number
x = jax.random.choice(jax.random.key(0), u.shape[0], (5,))  # P: x: int32[5]  # P(plugin): x: ?


# %% the last size of something unknown
x = jnp.ones(4, 'int8') * u.shape[-1]  # P: x: int8[4]  # P(plugin): x: ?


# %% all sizes of something unknown
x = jnp.zeros((u.shape[0], *u.shape[1:], 3))  # P: x: float32[...]


# %% pmean of something unknown
x = jax.vmap(lambda r: r - lax.pmean(r, 'i'), axis_name='i')(jnp.float32(u))  # P: x: float32[...]
