"""secret: a variable is an argument's name in an error, and a field's."""

import collections
import os

import jax.numpy as jnp

name = os.environ["HOSTILE_SECRET"][:18]
made = collections.namedtuple("Made", [name])
x = jnp.ones(3, **{name: 1})
