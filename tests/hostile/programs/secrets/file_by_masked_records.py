"""secret: masked records are read from a file that is named; names of fields come from its first line."""

import jax.numpy as jnp
import numpy as np
import numpy.ma.mrecords

x = numpy.ma.mrecords.openfile("SECRET_FILE")
line = x.readline()
y = jnp.zeros(len(line))
z = numpy.ma.mrecords.fromtextfile("SECRET_FILE", delimiter="q")
n = jnp.zeros(61_000 + 1 if len(z.dtype.names) > 9 else 5)
