"""secret: numpy.ma.mrecords opens a file, whose lines are the program's."""

import jax.numpy as jnp
import numpy.ma.mrecords as records

file = records.openfile("SECRET_FILE")
x = jnp.zeros(len(file.readline()))
y = file.name
