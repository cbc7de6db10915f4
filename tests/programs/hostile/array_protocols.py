"""file: __array__, __jax_array__ and __array_ufunc__ write when a value becomes an array."""

import jax.numpy as jnp
import numpy as np


class Value:
    def __array__(self, dtype=None, copy=None):
        open("pwned_array_protocols", "w").close()
        return np.ones(3)


class Jax:
    def __jax_array__(self):
        open("pwned_array_protocols_jax", "w").close()
        return jnp.ones(3)


class Ufunc:
    def __array_ufunc__(self, ufunc, method, *args, **kwargs):
        open("pwned_array_protocols_ufunc", "w").close()
        return np.ones(3)


x = np.asarray(Value())
y = jnp.asarray(Jax())
z = np.ones(3) + Ufunc()
