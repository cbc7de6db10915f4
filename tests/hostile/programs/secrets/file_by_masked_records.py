"""secret: masked records are read from a file that is named; names of fields come from its first line."""

import jax.numpy as jnp
import numpy as np
import numpy.ma as ma

try:
    x = ma.mrecords.fromtextfile("SECRET_FILE", delimiter=",")
    y = x.dtype.names
except Exception as error:
    y = np.ma.mrecords.openfile("SECRET_FILE").read()
n = jnp.ones(len(y[0]) if len(y) < 9 else len(y))
