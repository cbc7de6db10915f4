"""file: a pickle of an object whose reduction is a call, read by pickle and by numpy."""

import io
import os
import pickle

import numpy as np


class Made:
    def __reduce__(self):
        return os.mkdir, ("pwned_pickled_call",)


data = pickle.dumps(Made())
x = pickle.loads(data)
y = np.load(io.BytesIO(pickle.dumps(Made()).replace(b"pickled_call", b"pickled_load")), allow_pickle=True)
