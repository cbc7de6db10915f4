"""file: `exec`, which an enumeration hands out, is what a layer applies."""

import equinox as eqx

import enum


class Empty(enum.Enum):
    pass


run = Empty._convert_("Found", "builtins", lambda name: name in ("exec", "len"))["exec"].value
CODE = "open('pwned_converted_activation', 'w').close()"

layer = eqx.nn.Lambda(run)
x = layer(CODE)
