"""crash: NumPy asks `__getattr__` for an address in memory, and reads there."""

import numpy as np


class Reader:
    def __getattr__(self, name):
        if name == "__array_interface__":
            return {"data": (8, False), "shape": (1 << 20,), "typestr": "<f8", "version": 3}
        raise AttributeError(name)


x = np.asarray(Reader()).sum()
