"""crash: an array whose data is at an address that the program names."""

import numpy as np


class Peek:
    __array_interface__ = {"shape": (64,), "typestr": "|u1", "data": (8, True), "version": 3}


x = np.array(np.asarray(Peek()))
y = np.sum(x)
z = x.tolist()
