"""file: seterrcall has a function called when numbers overflow."""

import os

import numpy as np

np.seterrcall(lambda kind, flag: os.mkdir("pwned_numpy_error_handler"))
with np.errstate(all="call", call=lambda kind, flag: os.mkdir("pwned_numpy_error_handler_state")):
    x = np.float32(3e38) * np.float32(10)
np.seterr(all="call")
y = np.array([3e38], np.float32) * np.float32(10)
