"""connection: NumPy's text readers take addresses."""

import numpy as np

try:
    x = np.loadtxt("http://127.0.0.1:49151/x.txt")
except OSError:
    x = np.zeros(3)
y = np.genfromtxt("http://127.0.0.1:49151/y.txt")
