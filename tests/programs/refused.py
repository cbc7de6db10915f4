"""Operators whose operands JAX refuses. Lines end in a comment that says where they are an error."""

from typing import TypeVar

import jax
import numpy as np
from jaxtyping_core.typing import Bool, Float32, Int32, Integer, UInt8

B = TypeVar("B")


def bits(n: Int32[B], m: UInt8[B], some: Integer, anything: jax.Array) -> None:
    print(n & m, m | n, n ^ n, n & 1, 1 | n, n & True)
    print(some & n, n & some, anything & n, n | anything, anything ^ anything)
    print(n & np.int32(3), np.int32(3) | n, n ^ np.ones(3, np.int8))
    print(n << m, m >> 1, 1 << n, some << 1, anything << n, n >> anything, n << np.int32(3), ~n, ~some, ~anything)


def masks(b: Bool[B], n: Int32[B], x: Float32[B]) -> None:
    print(b & b, b | True, False ^ b, b & n, (x > 0) & (n < 3), b & np.bool_(True), b << b, b >> n, ~b, ~(x > 0))
    print(b & x)  # error
    print(x | b)  # error


def floats(x: Float32[B], n: Int32[B]) -> None:
    print(x & x)  # error
    print(n ^ x)  # error
    print(x | n)  # error
    print(x << n)  # error
    print(n >> x)  # error
    print(~x)  # error
