"""state: copy.copy sets the state of an object that a reduction gives: attributes of a library's class."""

import copy

import equinox as eqx


class Slots:
    def __reduce_ex__(self, protocol):
        return (lambda: eqx.nn.Linear), (), (None, {"pwned": 1, "__call__": lambda self, x: x})


y = copy.copy(Slots())
