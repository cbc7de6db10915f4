"""Ints that do not fit into their dtype. Each program that is wrong has a twin that is right, and names the exact numbers."""

# only: engine, show, server - JAX runs such programs, and `test_rules` asks it; mypy has errors alone
import math

import jax
import jax.numpy as jnp
import numpy as np
import nowhere


# %% a power
x = 256 ** jnp.arange(1, 5)  # E: overflow: 4294967296 does not fit into int32, so the array has 0; use a float, or int64
exact = [256**i for i in range(1, 5)]
# %% a power that fits
x = 256 ** jnp.arange(1, 4)
exact = [256**i for i in range(1, 4)]


# %% a Python number and a small dtype
x = jnp.array([1, 2, 3], jnp.int8) * 300  # E: overflow: 300 does not fit into int8, so the array has 44; use int32
exact = [300, 600, 900]
# %% a Python number and a wide dtype
x = jnp.array([1, 2, 3], jnp.int32) * 300
exact = [300, 600, 900]


# %% a difference of words of no sign
x = jnp.array([3, 4], jnp.uint32) - jnp.array([5, 6], jnp.uint32)  # E: overflow: -2 does not fit into uint32
exact = [-2, -2]
# %% a difference of words of no sign, the larger ones first
x = jnp.array([5, 6], jnp.uint32) - jnp.array([3, 4], jnp.uint32)
exact = [2, 2]


# %% pixels
def contrast(image):
    left = image[:, 1:]
    right = image[:, :-1]
    return left - right  # E: overflow: -255 does not fit into uint8, so the array has 1


x = contrast(jnp.array([[255, 0], [0, 255]], dtype=jnp.uint8))
exact = [[-255], [255]]
# %% pixels that are made wider first
def contrast(image):
    image = image.astype(jnp.int32)
    return image[:, 1:] - image[:, :-1]


x = contrast(jnp.array([[255, 0], [0, 255]], dtype=jnp.uint8))
exact = [[-255], [255]]


# %% the largest number, and one more
x = jnp.int32(2**31 - 1) + 1  # E: overflow: 2147483648 does not fit into int32, so the array has -2147483648
exact = 2**31
# %% the largest number
x = jnp.int32(2**31 - 2) + 1
exact = 2**31 - 1


# %% bits that are shifted out
x = 1 << jnp.arange(34)  # E: overflow: 2147483648 does not fit into int32
exact = [1 << i for i in range(34)]
# %% bits that stay
x = 1 << jnp.arange(31)
exact = [1 << i for i in range(31)]


# %% a running sum
x = jnp.cumsum(jnp.array([2_000_000_000, 2_000_000_000]))  # E: overflow: 4000000000 does not fit into int32
exact = [2_000_000_000, 4_000_000_000]
# %% a running sum that fits
x = jnp.cumsum(jnp.array([1_000_000_000, 1_000_000_000]))
exact = [1_000_000_000, 2_000_000_000]


# %% a product
x = jnp.prod(jnp.arange(1, 20))  # E: overflow: 121645100408832000 does not fit into int32
exact = math.factorial(19)
# %% a product that fits
x = jnp.prod(jnp.arange(1, 13))
exact = math.factorial(12)


# %% a method
x = jnp.array([100_000, 3]).prod() * 10_000  # E: overflow: 3000000000
exact = 3_000_000_000
# %% a method that makes small numbers wider
x = jnp.arange(200, dtype=jnp.uint8).sum()
exact = sum(range(200))


# %% a loop
x = jnp.int8(1)
exact = 1
for _ in range(7):
    x, exact = x * 2, exact * 2  # E: overflow: 128 does not fit into int8, so the array has -128
# %% a loop that ends in time
x = jnp.int8(1)
exact = 1
for _ in range(6):
    x, exact = x * 2, exact * 2


# %% a square
side = jnp.array([100_000])
x = side**2  # E: overflow: 10000000000
exact = [100_000**2]
# %% a square of floats
side = jnp.array([100_000.0])
x = side**2
exact = [100_000.0**2]


# %% 64-bit types and a dtype that is narrow
with jax.enable_x64(True):
    x = jnp.cumsum(jnp.array([2**31 - 1, 1], jnp.int32))  # E: overflow: 2147483648
exact = [2**31 - 1, 2**31]
# %% 64-bit types
with jax.enable_x64(True):
    x = jnp.cumsum(jnp.array([2**31 - 1, 1]))
exact = [2**31 - 1, 2**31]


# %% numbers that are known and numbers that are not
# unknown: 1
y = jnp.int8(nowhere.a) * 2
x = jnp.int8(100) + jnp.int8(100)  # E: overflow: 200 does not fit into int8, so the array has -56
exact = 200
# %% one of several numbers
# unknown: 1
x = jnp.int8(100)
exact = 100 + nowhere.a
if nowhere.a > 5:
    x = jnp.int8(20)
x = x + nowhere.a


# %% milliseconds
seconds = jnp.array([3_000_000, 5])
x = seconds * 1000  # E: overflow: 3000000000 does not fit into int32
exact = [3_000_000_000, 5000]
# %% milliseconds of a week
seconds = jnp.array([604_800, 5])
x = seconds * 1000
exact = [604_800_000, 5000]


# %% a negative number of no sign
x = -jnp.array([1, 2], jnp.uint8)  # E: overflow: -1 does not fit into uint8, so the array has 255
exact = [-1, -2]
# %% a negative number
x = -jnp.array([1, 2], jnp.int8)
exact = [-1, -2]


# %% a conversion to fewer bits
x = jnp.arange(3) * 100
x = x.astype(jnp.int8) + jnp.int8(100)  # E: overflow: 200 does not fit into int8
exact = [100, 200, 44]
# %% no conversion
x = jnp.arange(3) * 100
x = x + 100
exact = [100, 200, 300]


# %% an index of a pixel
def flat(row, column, width):
    return row * width + column  # E: overflow: 4000000000 does not fit into int32


x = flat(jnp.array([40_000]), jnp.array([7]), 100_000)
exact = [4_000_000_007]
# %% an index of a pixel of a small picture
def flat(row, column, width):
    return row * width + column


x = flat(jnp.array([400]), jnp.array([7]), 1000)
exact = [400_007]


# %% a field of a class
class Image:
    def __init__(self, side):
        self.side = jnp.int32(side)

    def area(self):
        return self.side * self.side  # E: overflow: 2500000000 does not fit into int32


x = Image(50_000).area()
exact = 2_500_000_000
# %% a field of a class that fits
class Image:
    def __init__(self, side):
        self.side = jnp.int32(side)

    def area(self):
        return self.side * self.side


x = Image(40_000).area()
exact = 1_600_000_000


# %% a sum of small numbers of no sign
x = jnp.array([200, 100], jnp.uint8).sum(dtype=jnp.uint8)  # E: overflow: 300 does not fit into uint8
exact = 300
# %% a sum with a wider dtype
x = jnp.array([200, 100], jnp.uint8).sum(dtype=jnp.uint32)
exact = 300


# %% a difference of counts
before, after = jnp.array([7], jnp.uint32), jnp.array([5], jnp.uint32)
x = after - before  # E: overflow: -2 does not fit into uint32, so the array has 4294967294
exact = [-2]
# %% a difference of signed counts
before, after = jnp.array([7], jnp.int32), jnp.array([5], jnp.int32)
x = after - before
exact = [-2]


# %% a row with a number that does not fit
a, b = jnp.array([4, 2_000_000_000])
x = b * 2  # E: overflow: 4000000000 does not fit into int32
exact = 4_000_000_000
# %% a row with a number that fits
a, b = jnp.array([2_000_000_000, 4])
x = b * 2
exact = 8
