"""state: ... into the builtins."""

import enum


@enum.global_enum
class Made(enum.IntFlag):
    __module__ = "builtins"
    pwned = 1
    license = 2
