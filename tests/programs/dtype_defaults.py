"""Dtypes as defaults of parameters without annotations, and as the classes that they are."""

import jax.numpy as jnp
import numpy as np


def cast(x, dtype=jnp.float32):
    return x.astype(dtype)


class Layer:
    def __init__(self, size, dtype=jnp.float32):
        self.dtype = dtype
        self.w = jnp.ones((size, size), dtype)


def defaults() -> None:
    x = jnp.ones(3)
    print(cast(x), cast(x, jnp.bfloat16), cast(x, "int32"), cast(x, np.int8), cast(x, dtype=x.dtype))
    layer = Layer(3, jnp.bfloat16)
    layer.dtype = jnp.float16
    print(layer.dtype, Layer(2, dtype=np.float16).w)


def classes() -> None:
    kind: type = jnp.float32
    print(kind, isinstance(kind, type), jnp.float32.dtype, jnp.float32.__name__)
    print(np.zeros(3, jnp.float32), np.dtype(jnp.int8), {jnp.float32: 1, jnp.int8: 2}, jnp.ones(3).dtype == jnp.float32)
    for dtype in (jnp.float32, jnp.int32):
        print(dtype(1), jnp.ones(3).astype(dtype))


if __name__ == "__main__":
    defaults()
    classes()
