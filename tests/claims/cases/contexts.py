"""What a context sets holds in the body of the `with`, and not after it."""

# one python

import jax
import jax.numpy as jnp

from contextlib import contextmanager
CHOSEN = jnp.float32
@contextmanager
def precision(dtype):
    global CHOSEN
    before, CHOSEN = CHOSEN, dtype
    try:
        yield dtype
    finally:
        CHOSEN = before


# %% in the body
# only: engine, show, server, true - mypy believes that CHOSEN stays of the class that it has at first
with precision(jnp.float16) as d:
    x = jnp.ones(3, CHOSEN)  # P: x: float16[3]


# %% after it
with precision(jnp.float16) as d:
    pass
x = jnp.ones(3, CHOSEN)  # P: x: float32[3]


# %% a function that returns from the body
def f(n):
    with precision(jnp.float16) as d, precision(jnp.int8):
        return jnp.ones(n, d)
    return None
x = f(3) + jnp.zeros(3, CHOSEN)  # P: x: float32[3]  # E(engine, show, server): widening


# %% a loop that is left from the body
# only: engine, show, server, true - mypy believes that CHOSEN stays of the class that it has at first
for i in range(3):
    with precision(jnp.float16):
        x = jnp.ones(i, CHOSEN)  # P: x: float16[0]
        break
else:
    x = None  # P: x: ?
