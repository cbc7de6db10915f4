"""Programs that give other arrays than NumPy: `numpy` is what is written there for `x`. Each has a twin that gives the same."""

# only: engine - these files are named as ported, which the other clients are not told; `test_ports` runs both libraries
import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np


# %% zeros
x = jnp.zeros(3)  # E: port-numpy: this gives float32, and float64 in NumPy
numpy = "np.zeros(3)"
# %% zeros of a dtype
x = jnp.zeros(3, jnp.float32)
numpy = "np.zeros(3, np.float32)"


# %% a range
x = jnp.arange(4)  # E: port-numpy: an int gives int32, and int64 in NumPy
numpy = "np.arange(4)"
# %% a range of a dtype
x = jnp.arange(4, dtype=jnp.int32)
numpy = "np.arange(4, dtype=np.int32)"


# %% a list
x = jnp.array([1.0, 2.0])  # E: port-numpy: a float gives float32, and float64 in NumPy
numpy = "np.array([1.0, 2.0])"
# %% a list of bools
x = jnp.array([True, False])
numpy = "np.array([True, False])"


# %% ints and floats
def scale(counts, weights):
    return counts * weights  # E: port-numpy: int32 and float32 give float32, and float64 in NumPy


x = scale(jnp.ones(3, jnp.int32), jnp.ones(3, jnp.float32))
numpy = "np.ones(3, np.int32) * np.ones(3, np.float32)"
# %% small ints and floats
def scale(counts, weights):
    return counts * weights


x = scale(jnp.ones(3, jnp.int16), jnp.ones(3, jnp.float32))
numpy = "np.ones(3, np.int16) * np.ones(3, np.float32)"


# %% a quotient of ints
hits = jnp.ones(4, jnp.int32)
x = hits / 2  # E: port-numpy: int32 and an int give float32, and float64 in NumPy
numpy = "np.ones(4, np.int32) / 2"
# %% a quotient of floats
hits = jnp.ones(4, jnp.float32)
x = hits / 2
numpy = "np.ones(4, np.float32) / 2"


# %% a mean of ints
@jax.jit
def average(labels):
    return labels.mean()  # E: port-numpy: int32 gives float32, and float64 in NumPy


x = average(jnp.ones(3, jnp.int32))
numpy = "np.ones(3, np.int32).mean()"
# %% a mean of floats
@jax.jit
def average(labels):
    return labels.mean()


x = average(jnp.ones(3, jnp.float32))
numpy = "np.ones(3, np.float32).mean()"


# %% a sum of small ints
pixels = jnp.full((4,), 200, jnp.uint8)
x = jnp.sum(pixels)  # E: port-numpy: uint8 gives uint32, and uint64 in NumPy
numpy = "np.sum(np.full((4,), 200, np.uint8))"
# %% a sum of small ints in a dtype
pixels = jnp.full((4,), 200, jnp.uint8)
x = jnp.sum(pixels, dtype=jnp.uint32)
numpy = "np.sum(np.full((4,), 200, np.uint8), dtype=np.uint32)"


# %% a logarithm of ints
class Counter:
    def __init__(self):
        self.counts = jnp.full(3, 2, jnp.int8)

    def entropy(self):
        return jnp.log(self.counts)  # E: port-numpy: int8 gives float32, and float16 in NumPy


x = Counter().entropy()
numpy = "np.log(np.full(3, 2, np.int8))"
# %% a logarithm of shorts
class Counter:
    def __init__(self):
        self.counts = jnp.full(3, 2, jnp.int16)

    def entropy(self):
        return jnp.log(self.counts)


x = Counter().entropy()
numpy = "np.log(np.full(3, 2, np.int16))"


# %% where the greatest is
scores = jnp.ones((2, 3), jnp.float32)
x = scores.argmax(-1)  # E: port-numpy: this gives int32, and int64 in NumPy
numpy = "np.ones((2, 3), np.float32).argmax(-1)"
# %% the greatest
scores = jnp.ones((2, 3), jnp.float32)
x = scores.max(-1)
numpy = "np.ones((2, 3), np.float32).max(-1)"


# %% parts of several dtypes
parts = [jnp.ones(2, jnp.int32), jnp.ones(2, jnp.float32)]
x = jnp.concatenate(parts)  # E: port-numpy: int32 and float32 give float32, and float64 in NumPy
numpy = "np.concatenate([np.ones(2, np.int32), np.ones(2, np.float32)])"
# %% parts of one dtype
parts = [jnp.ones(2, jnp.float32), jnp.ones(2, jnp.float32)]
x = jnp.concatenate(parts)
numpy = "np.concatenate([np.ones(2, np.float32), np.ones(2, np.float32)])"


# %% a product of matrices
a, b = jnp.ones((2, 2), jnp.int32), jnp.ones((2, 2), jnp.float32)
x = a @ b  # E: port-numpy: int32 and float32 give float32, and float64 in NumPy
numpy = "np.ones((2, 2), np.int32) @ np.ones((2, 2), np.float32)"
# %% a product of matrices of floats
a, b = jnp.ones((2, 2), jnp.float16), jnp.ones((2, 2), jnp.float32)
x = a @ b  # E: widening
numpy = "np.ones((2, 2), np.float16) @ np.ones((2, 2), np.float32)"


# %% an inverse of ints
m = jnp.eye(2, dtype=jnp.int32)
x = jnp.linalg.inv(m)  # E: port-numpy: int32 gives float32, and float64 in NumPy
numpy = "np.linalg.inv(np.eye(2, dtype=np.int32))"
# %% an inverse of floats
m = jnp.eye(2, dtype=jnp.float32)
x = jnp.linalg.inv(m)
numpy = "np.linalg.inv(np.eye(2, dtype=np.float32))"


# %% rows under vmap
def total(row):
    return row + row.astype(jnp.float16)  # E: port-numpy: int32 and float16 give float16, and float64 in NumPy


x = jax.vmap(total)(jnp.ones((2, 3), jnp.int32))
numpy = "np.ones((2, 3), np.int32) + np.ones((2, 3), np.float16)"
# %% rows under vmap of bytes
def total(row):
    return row + row.astype(jnp.float16)


x = jax.vmap(total)(jnp.ones((2, 3), jnp.int8))
numpy = "np.ones((2, 3), np.int8) + np.ones((2, 3), np.float16)"


# %% a step of a scan
def body(carry, row):
    return carry, carry * row  # E: port-numpy: float32 and int32 give float32, and float64 in NumPy


rows = jnp.ones((4, 2), jnp.int32)
_, x = jax.lax.scan(body, jnp.ones(2, jnp.float32), rows)
numpy = "np.ones((4, 2), np.int32) * np.ones(2, np.float32)"
# %% a step of a scan over floats
def body(carry, row):
    return carry, carry * row


rows = jnp.ones((4, 2), jnp.float32)
_, x = jax.lax.scan(body, jnp.ones(2, jnp.float32), rows)
numpy = "np.ones((4, 2), np.float32) * np.ones(2, np.float32)"


# %% a layer with a mask
class Masked(nn.Module):
    @nn.compact
    def __call__(self, y, mask):
        return y * mask  # E: port-numpy: float32 and int32 give float32, and float64 in NumPy


masked = Masked()
x = masked.apply({}, jnp.ones(3, jnp.float32), jnp.ones(3, jnp.int32))
numpy = "np.ones(3, np.float32) * np.ones(3, np.int32)"
# %% a layer with a mask of bools
class Masked(nn.Module):
    @nn.compact
    def __call__(self, y, mask):
        return y * mask


masked = Masked()
x = masked.apply({}, jnp.ones(3, jnp.float32), jnp.ones(3, bool))
numpy = "np.ones(3, np.float32) * np.ones(3, bool)"


# %% a model of lengths
class Lengths(eqx.Module):
    lengths: jax.Array

    def __call__(self, y):
        return y / self.lengths  # E: port-numpy: float32 and uint32 give float32, and float64 in NumPy


x = Lengths(jnp.full(2, 3, jnp.uint32))(jnp.ones(2, jnp.float32))
numpy = "np.ones(2, np.float32) / np.full(2, 3, np.uint32)"
# %% a model of short lengths
class Lengths(eqx.Module):
    lengths: jax.Array

    def __call__(self, y):
        return y / self.lengths


x = Lengths(jnp.full(2, 3, jnp.uint16))(jnp.ones(2, jnp.float32))
numpy = "np.ones(2, np.float32) / np.full(2, 3, np.uint16)"


# %% indices outside
table = jnp.ones(3, jnp.float32)
ids = jax.random.randint(jax.random.key(0), (4,), 3, 9)
x = table[ids]  # E: port-numpy: NumPy raises IndexError
numpy = "np.ones(3, np.float32)[np.array([5])]"
# %% a mask in place of indices
table = jnp.ones(3, jnp.float32)
x = table[jnp.ones(3, bool)]
numpy = "np.ones(3, np.float32)[np.ones(3, bool)]"


# %% a parameter that is changed in place
def centre(v):
    v -= v.mean()  # E: port-numpy: NumPy changes the array itself
    return v


first = jnp.full(2, 2, jnp.float32)
centre(first)
x = first
numpy = "[v := np.full(2, 2, np.float32), v.__isub__(v.mean())][0]"
# %% a parameter that is changed in a copy
def centre(v):
    v = v - v.mean()
    return v


first = jnp.full(2, 2, jnp.float32)
centre(first)
x = first
numpy = "[v := np.full(2, 2, np.float32), v - v.mean()][0]"


# %% floats as bytes
y = jnp.full(2, 300.0, jnp.float32)
x = y.astype(jnp.uint8)  # E: port-numpy: floats outside of uint8
numpy = "np.full(2, 300.0, np.float32).astype(np.uint8)"
# %% floats as bytes in two steps
y = jnp.full(2, 300.0, jnp.float32)
x = y.astype(jnp.int32).astype(jnp.uint8)
numpy = "np.full(2, 300.0, np.float32).astype(np.int32).astype(np.uint8)"


# %% a division by zero
a, b = jnp.full(2, 7, jnp.int32), jnp.zeros(2, jnp.int32)
x = a // b  # E: port-numpy: NumPy gives 0
numpy = "np.full(2, 7, np.int32) // np.zeros(2, np.int32)"
# %% a division of floats by zero
a, b = jnp.full(2, 7, jnp.float32), jnp.zeros(2, jnp.float32)
x = a // b
numpy = "np.full(2, 7, np.float32) // np.zeros(2, np.float32)"


# %% a power of ints
a, b = jnp.full(2, 2, jnp.int32), jnp.full(2, -1, jnp.int32)
x = a**b  # E: port-numpy: NumPy raises ValueError
numpy = "np.full(2, 2, np.int32) ** np.full(2, -1, np.int32)"
# %% a power of an int
a = jnp.full(2, 2, jnp.int32)
x = a**3
numpy = "np.full(2, 2, np.int32) ** 3"


# %% a sort in place
y = jnp.array([3.0, 1.0], jnp.float32)
x = y.sort()  # E: port-numpy: x.sort() sorts x itself
numpy = "np.array([3.0, 1.0], np.float32).sort()"
# %% a sorted copy
y = jnp.array([3.0, 1.0], jnp.float32)
x = jnp.sort(y)
numpy = "np.sort(np.array([3.0, 1.0], np.float32))"


# %% a number that does not fit
x = jax.random.bits(jax.random.key(0), (2,), jnp.uint8) + 300  # E: port-numpy: NumPy raises OverflowError
numpy = "np.ones(2, np.uint8) + 300"
# %% a number that fits
x = jnp.ones(2, jnp.uint8) + 3
numpy = "np.ones(2, np.uint8) + 3"
