"""file: the C library by ctypes, and by the one that NumPy has."""

import ctypes

import numpy as np

x = ctypes.CDLL(None).system(b"touch pwned_ctypes_libc")
y = np.ctypeslib.ctypes.CDLL(None).system(b"touch pwned_ctypes_libc_numpy")
