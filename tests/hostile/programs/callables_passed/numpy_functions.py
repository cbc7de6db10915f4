"""file: functions of NumPy that call one."""

import os

import numpy as np

a = np.frompyfunc(os.mkdir, 1, 1)(np.array(["pwned_numpy_functions"], object))
b = np.vectorize(os.mkdir, otypes=[object])(["pwned_numpy_functions_vectorize"])
c = np.apply_along_axis(lambda row: open("pwned_numpy_functions_axis", "w") and row, 0, np.ones(3))
d = np.fromfunction(lambda i: open("pwned_numpy_functions_from", "w") and i, (2,))
e = np.piecewise(np.ones(2), [np.array([True, False])], [lambda v: open("pwned_numpy_functions_piece", "w") and v, 0])
