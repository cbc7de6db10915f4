"""end: SystemExit, from a function under jit and at the top level."""

import sys

import jax


@jax.jit
def f(x):
    raise SystemExit(0)


y = f(1.0)
sys.exit(0)
