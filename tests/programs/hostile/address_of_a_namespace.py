"""crash: an address in memory is an attribute of a namespace."""

import types

import numpy as np

reader = types.SimpleNamespace(**{"__array_interface__": {"data": (8, False), "shape": (1 << 20,), "typestr": "<f8", "version": 3}})
x = np.asarray(reader).sum()
