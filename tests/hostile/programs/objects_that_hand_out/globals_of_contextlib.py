"""secret: contextlib has imported os and sys: its globals lead to the environment."""

import contextlib
import functools

import jax.numpy as jnp


class Holder:
    environ = __globals__ = None


def part(holder, name):
    made = Holder()
    functools.update_wrapper(made, holder, assigned=(name,), updated=())
    return getattr(made, name)


names = part(contextlib.contextmanager, "__globals__")
environ = part(names["os"], "environ")
x = jnp.zeros((2, len(environ["HOSTILE_SECRET"])))
