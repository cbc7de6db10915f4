"""crash: an address in memory is an attribute of a class."""

import numpy as np


class Reader:
    __array_interface__ = {"data": (8, False), "shape": (1 << 20,), "typestr": "<f8", "version": 3}


x = np.asarray(Reader()).sum()
