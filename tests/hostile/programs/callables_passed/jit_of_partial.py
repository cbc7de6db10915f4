"""file: jit and eval_shape call what a partial holds."""

import functools
import os

import jax

x = jax.eval_shape(functools.partial(os.mkdir, "pwned_jit_of_partial"))
y = jax.jit(functools.partial(os.mkdir, "pwned_jit_of_partial_jit"))()
z = jax.make_jaxpr(functools.partial(open, "pwned_jit_of_partial_jaxpr", "w"))()
