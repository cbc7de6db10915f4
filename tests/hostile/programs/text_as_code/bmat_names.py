"""secret: numpy.bmat takes names out of the frames of whoever calls it."""

import os

import numpy as np

secret = np.zeros((1, len(os.environ["HOSTILE_SECRET"])))
x = np.bmat("secret")
n = x.shape[1]
import jax.numpy as jnp

y = jnp.zeros(n)
