"""state: typing marks a library's class, and a decorator replaces its constructor."""

import typing

import equinox as eqx
import typing_extensions

typing.no_type_check(eqx.nn.Linear)
typing.final(eqx.Module)
eqx.nn.Linear.pwned = 1
x = typing_extensions.deprecated("pwned")(eqx.nn.Linear)
