"""64-bit dtypes that are asked for and not there. Each program that is wrong has a twin that is right."""

# only: engine, show, server - JAX runs such programs, and `test_rules` asks it; mypy has errors alone
import functools

import jax
import jax.numpy as jnp
import numpy as np
import nowhere


# %% a dtype by its position
x = jnp.zeros(3, jnp.float64)  # E: x64: float64 is asked for, and 64-bit types are off, so the array is float32
# %% a dtype that is there, by its position
x = jnp.zeros(3, jnp.float32)


# %% a dtype by its name
x = jnp.arange(10, dtype=jnp.int64)  # E: x64: int64 ... so the array is int32
# %% no dtype
x = jnp.arange(10)


# %% random numbers
x = jax.random.uniform(jax.random.key(0), (4,), dtype=jnp.float64)  # E: x64: float64
# %% random numbers of Python's own type
x = jax.random.uniform(jax.random.key(0), (4,), dtype=float)


# %% a text
x = jnp.ones(3).astype("float64")  # E: x64: float64
# %% a text of NumPy's
x = np.ones(3).astype("float64")
y = jnp.asarray(x)


# %% a type that is called
x = jnp.float64(3)  # E: x64: float64
# %% a type that is called and is there
x = jnp.float32(3)


# %% a dtype of NumPy
x = jnp.zeros(3, np.dtype("complex128"))  # E: x64: complex128
# %% a dtype that JAX narrows when it is asked
x = jnp.zeros(3, jax.dtypes.canonicalize_dtype("complex128"))


# %% the dtype of a sum
x = jnp.ones(3).sum(dtype=np.float64)  # E: x64: float64
# %% a sum that NumPy makes
x = np.ones(3).sum(dtype=np.float64)
y = jnp.float32(x)


# %% the dtype of other data
data = np.zeros(3)
x = jnp.asarray(data, data.dtype)  # E: x64: float64
# %% data without a word on dtypes
data = np.zeros(3)
x = jnp.asarray(data)


# %% a jitted function
@functools.partial(jax.jit, static_argnames="dtype")
def zeros(n, dtype):
    return jnp.zeros(3, dtype) + n  # E: x64: uint64 ... so the array is uint32


x = zeros(1, dtype=jnp.uint64)
# %% a jitted function with a dtype that is there
@functools.partial(jax.jit, static_argnames="dtype")
def zeros(n, dtype):
    return jnp.zeros(3, dtype) + n


x = zeros(1, dtype=jnp.uint32)


# %% unknown numbers
# unknown: [1, 2]
x = jnp.array(nowhere.a, dtype=np.int64)  # E: x64: int64
# %% unknown numbers of a dtype that is there
# unknown: [1, 2]
x = jnp.array(nowhere.a, dtype=np.int32)


# %% a conversion
x = jax.lax.convert_element_type(jnp.ones(3), jnp.float64)  # E: x64: float64
# %% what is asked of dtypes alone
x = jnp.ones(3)
numbers = (jnp.finfo(jnp.float64).eps, jnp.promote_types(jnp.float64, jnp.int64))
shape = jax.ShapeDtypeStruct((3,), jnp.float64)
is_wide = jnp.issubdtype(x.dtype, jnp.float64)


# %% under a condition that the program decides
wide = True
x = jnp.zeros(3, jnp.float64 if wide else jnp.float32)  # E: x64: float64
# %% a dtype that depends on the switch
x = jnp.zeros(3, jnp.float64 if jax.config.jax_enable_x64 else jnp.float32)


# %% after a block with 64-bit types
with jax.enable_x64(True):
    x = jnp.zeros(3, jnp.float64)
y = jnp.zeros(3, jnp.float64)  # E: x64: float64
# %% in a block with 64-bit types
with jax.enable_x64(True):
    x = jnp.zeros(3, jnp.float64)


# %% a tree of numbers
x = jax.tree.map(jnp.float64, {"a": 1.0})  # E: x64: float64
# %% a tree of numbers that are there
x = jax.tree.map(jnp.float32, {"a": 1.0})


# %% a constant of a class
import flax.linen as nn


class Scale(nn.Module):
    @nn.compact
    def __call__(self, x):
        return x * jnp.full(3, 2, jnp.float64)  # E: x64: float64


y = Scale().apply({}, jnp.ones(3))
# %% a constant of a class with a dtype that is there
import flax.linen as nn


class Scale(nn.Module):
    @nn.compact
    def __call__(self, x):
        return x * jnp.full(3, 2, jnp.float32)


y = Scale().apply({}, jnp.ones(3))


# %% a view of data
x = jnp.array([1, 2], dtype="uint64")  # E: x64: uint64
# %% a view of data with a dtype that is there
x = jnp.array([1, 2], dtype="uint32")


# %% in a function that is mapped
x = jax.vmap(lambda row: row.astype(jnp.float64))(jnp.ones((2, 3)))  # E: x64: float64
# %% in a function that is mapped, with a dtype that is there
x = jax.vmap(lambda row: row.astype(jnp.float32))(jnp.ones((2, 3)))


# %% a loop's start
x = jax.lax.fori_loop(0, 3, lambda i, x: x + 1, jnp.float64(0))  # E: x64: float64
# %% a loop's start with a dtype that is there
x = jax.lax.fori_loop(0, 3, lambda i, x: x + 1, jnp.float32(0))


# %% a method of a class
class Grid:
    dtype = jnp.float64

    def points(self, n):
        return jnp.linspace(0, 1, n, dtype=self.dtype)  # E: x64: float64


x = Grid().points(5)
# %% a method of a class with a dtype that is there
class Grid:
    dtype = jnp.float32

    def points(self, n):
        return jnp.linspace(0, 1, n, dtype=self.dtype)


x = Grid().points(5)


# %% a matrix of ones on the diagonal
x = jnp.eye(3, dtype=np.float64) + jnp.full((3, 3), 2.0)  # E: x64: float64
# %% a matrix of ones on the diagonal without a dtype
x = jnp.eye(3) + jnp.full((3, 3), 2.0)
