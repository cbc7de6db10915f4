"""Arrays of one of a few dtypes: what is the same for each of these is known, and nothing more."""

# one python

import jax.numpy as jnp
from nowhere import u


# %% a sum of two branches with a wider array
# unknown: True
# unknown: False
x = jnp.ones(3, jnp.float16) if u else jnp.ones(3, jnp.bfloat16)  # P: x: ?[3]
y = x + jnp.ones(3)  # P: y: float32[3]


# %% a sum of two branches with an array that is no wider
# unknown: True
# unknown: False
x = jnp.ones(3, jnp.int8) if u else jnp.ones(3, jnp.float32)  # P: x: ?[3]
y = x + jnp.ones(3, jnp.float16)  # P: y: ?[3]


# %% a loop that makes another dtype
# unknown: 0
# unknown: 2
def grown(x):
    for _ in range(u):
        x = x + jnp.ones(3)  # E(engine, show, server): widening
    return x  # P: return: ?[3]  # P(plugin): return: ?


y = grown(jnp.ones(3, jnp.float16))  # P: y: ?[3]
z = y * jnp.ones(3)  # P: z: float32[3]  # P(plugin): z: ?[3]


# %% what is returned in two places
# unknown: True
# unknown: False
def either():
    if u:
        return jnp.ones(3, jnp.int8)
    return jnp.ones(3, jnp.uint8)


y = either() + jnp.ones(3, jnp.int16)  # P: y: int16[3]  # P(plugin): y: ?[3]


# %% results of samples may be of other dtypes
# unknown: jnp.ones(3, "int8")
# unknown: jnp.ones(3, "complex64")
x = jnp.sin(jnp.asarray(u))  # P: x: ?
y = x + jnp.ones(3)  # P: y: ?


# %% a value whose dtypes are all other than declared
# only: engine - the plugin has a message of its own
# unknown: True
# unknown: False
from jaxtyping import Array, Float, jaxtyped
from typeguard import typechecked


@jaxtyped(typechecker=typechecked)
def half(x: Float[Array, "n"]):
    return x / 2


half(jnp.ones(3, jnp.int8) if u else jnp.ones(3, jnp.int32))  # E: dtype: int32|int8[3]


# %% a value one of whose dtypes is as declared
# only: engine - the plugin has a message of its own
# unknown: True
from jaxtyping import Array, Float, jaxtyped
from typeguard import typechecked


@jaxtyped(typechecker=typechecked)
def half(x: Float[Array, "n"]):
    return x / 2


y = half(jnp.ones(3) if u else jnp.ones(3, jnp.int32))  # P: y: float32[3]
