"""end: a segmentation fault by reading address zero."""

import ctypes

import numpy as np

x = ctypes.string_at(0)
y = np.ctypeslib.as_array(ctypes.cast(0, ctypes.POINTER(ctypes.c_float)), (10,)).sum()
