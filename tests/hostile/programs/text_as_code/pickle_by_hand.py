"""file: a pickle that is written by hand, through the classes of NumPy's and JAX's files."""

import io

import jax.numpy as jnp
import numpy as np

DATA = b"cposix\nmkdir\n(Vpwned_pickle_by_hand\ntR."
x = jnp.load(io.BytesIO(DATA), allow_pickle=True)
