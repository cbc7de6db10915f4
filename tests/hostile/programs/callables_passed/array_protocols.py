"""file: NumPy and JAX ask objects for their arrays, and have them do what a function does."""

import os

import jax.numpy as jnp
import numpy as np


class Arrayish:
    def __array__(self, dtype=None, copy=None):
        os.mkdir("pwned_array_protocols_array")
        return np.ones(3)

    def __jax_array__(self):
        os.mkdir("pwned_array_protocols_jax")
        return jnp.ones(3)


class Function(np.ndarray):
    def __array_function__(self, func, types, args, kwargs):
        os.mkdir("pwned_array_protocols_function")
        return None

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        os.mkdir("pwned_array_protocols_ufunc")
        return None


a = np.asarray(Arrayish())
b = np.concatenate([np.ones(2).view(Function)])
c = np.sin(np.ones(2).view(Function))
d = jnp.sin(Arrayish())
