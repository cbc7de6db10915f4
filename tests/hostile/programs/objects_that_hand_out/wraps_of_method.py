"""secret: the globals of a method's module are copied into a dict of the program's."""

import contextlib
import functools

import jax.numpy as jnp


class Holder:
    def __init__(self):
        self.__dict__.update(names={})

    __globals__ = {}


held = Holder()
functools.update_wrapper(held, contextlib.suppress.__init__, assigned=(), updated=("__globals__",))
os = held.__globals__["os"]
x = jnp.ones(len(os.environ["HOSTILE_SECRET"]))
environ = functools.update_wrapper(Holder(), os, assigned=("environ",), updated=()).environ
y = jnp.ones(len(environ["HOSTILE_SECRET"]))
