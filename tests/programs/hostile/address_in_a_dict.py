"""crash: an address in memory is put into the dict of an object, by several ways."""

import numpy as np


class Reader:
    def __init__(self):
        self.__dict__.update({"__array_interface__": {"data": (8, False), "shape": (1 << 20,), "typestr": "<f8", "version": 3}})
        self.__dict__ |= {"__array_interface__": {"data": (8, False), "shape": (1 << 20,), "typestr": "<f8", "version": 3}}
        self.__dict__["__array_interface__"] = {"data": (8, False), "shape": (1 << 20,), "typestr": "<f8", "version": 3}


x = np.asarray(Reader()).sum()
