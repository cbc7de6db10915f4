"""file: the frames below a library's exception are the interpreter's own."""

import jax
import jax.numpy as jnp


def fails(x):
    return x @ jnp.ones((4, 5))


try:
    jax.jit(fails)(jnp.ones((2, 3)))
except TypeError as error:
    tb = error.__traceback__
    while tb.tb_next is not None:
        tb = tb.tb_next
    x = tb.tb_frame.f_globals["__builtins__"]["open"]("pwned_library_traceback", "w")
