"""Operators on arrays of which one dim has two names."""

from typing import TypeVar

from jaxtyping_core.typing import BFloat16, Float32

N = TypeVar("N")
M = TypeVar("M")
D = TypeVar("D")


def clash(x: Float32[N, D], y: Float32[M, D], z: BFloat16[M, D]) -> None:
    print(x + y)  # error in pyright, basedpyright
    print(x - y)  # error in pyright, basedpyright
    print(x * y)  # error in pyright, basedpyright
    print(x / y)  # error in pyright, basedpyright
    print(x - z)  # error in pyright, basedpyright
