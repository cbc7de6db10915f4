"""state: ... into the module that makes the answers of the evaluation."""

import enum


class Made(enum.Enum):
    __module__ = "jaxtyping_core_child.evaluation.child.serve"
    pwned = "x"
    MOST_MEMORY = 1 << 60


x = enum.global_enum(Made)
import sys

sys.modules["jax"].pwned = 1
