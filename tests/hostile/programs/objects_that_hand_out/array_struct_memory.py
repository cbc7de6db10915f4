"""crash: a capsule and a pointer by ctypes, which NumPy follows."""

import ctypes

import numpy as np

x = np.ctypeslib.as_array(ctypes.cast(8, ctypes.POINTER(ctypes.c_ubyte)), (64,))
y = x.sum()
