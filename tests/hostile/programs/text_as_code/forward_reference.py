"""file: a forward reference in a generic type is evaluated when singledispatch registers a function."""

import functools
import typing


@functools.singledispatch
def f(x):
    return x


@f.register
def g(x: typing.Optional["__import__('os').mkdir('pwned_forward_reference')"]):
    return x
