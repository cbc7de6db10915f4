"""file: `open`, which an enumeration hands out, is what a layer applies."""

import functools

import equinox as eqx

import enum


class Empty(enum.Enum):
    pass


run = Empty._convert_("Found", "io", lambda name: name == "open")["open"].value
PATH = "pwned_converted_activation"

layer = eqx.nn.Lambda(functools.partial(run, mode="w"))
x = layer(PATH)
