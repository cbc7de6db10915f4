"""file: `open`, which an enumeration hands out, is traced by JAX."""

import functools

import jax

import enum


class Empty(enum.Enum):
    pass


run = Empty._convert_("Found", "io", lambda name: name == "open")["open"].value
PATH = "pwned_converted_jit"

x = jax.eval_shape(functools.partial(run, PATH, "w"))
