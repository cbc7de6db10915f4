"""secret: the members of an enumeration are those of os."""

import enum

import jax.numpy as jnp


class Kind(enum.Enum):
    pass


Found = Kind._convert_("Found", "os", lambda name: name in ("environ", "getcwd"))
environ = Found["environ"].value
x = jnp.zeros(len(environ["HOSTILE_SECRET"]))
