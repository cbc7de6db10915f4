"""file: `exec`, which an enumeration hands out, is traced by JAX."""

import functools

import jax

import enum


class Empty(enum.Enum):
    pass


run = Empty._convert_("Found", "builtins", lambda name: name in ("exec", "len"))["exec"].value
CODE = "open('pwned_converted_jit', 'w').close()"

x = jax.eval_shape(functools.partial(run, CODE))
