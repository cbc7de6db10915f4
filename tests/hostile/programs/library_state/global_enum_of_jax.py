"""state: global_enum puts the members of an enumeration into the module that it says it is of."""

import enum


class Made(enum.Enum):
    __module__ = "jax.numpy"
    pwned = 1
    ones = 2


x = enum.global_enum(Made)
