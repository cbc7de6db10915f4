"""file: a generic function calls what was registered."""

import functools


@functools.singledispatch
def show(x):
    return x


show.register(int, functools.partial(open, mode="w"))


@show.register
def _(x: str):
    open("pwned_singledispatch", "w").close()
    return x


y = show("x")
