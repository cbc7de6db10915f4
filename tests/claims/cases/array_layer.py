"""Arrays of the array layer, which promotes as it is told."""

# only: engine, show, server, true - mypy knows the layer by its own stub, and its operators by the system of the settings

import jax
import jaxtyping_core.numpy as jnp


# %% promotion by other systems
x = jnp.ones((2, 3), "int16")  # P: x: int16[2, 3]
y = jnp.ones(3, "float16")  # P: y: float16[3]
with jnp.promotion("numpy"):
    z = x + y  # P: z: float32[2, 3]
with jnp.promotion("torch"):
    z = x + y  # P: z: float16[2, 3]


# %% functions of the layer, and of the program
def total(a):
    return jnp.sum(a * 2, axis=0)
u = total(jnp.ones((2, 3), "int16"))  # P: u: int32[3]
v = jnp.asarray(2.0)  # P: v: weak float32[]
w = jax.jit(total)(jnp.ones(3, "float16"))  # P: w: float16[]
