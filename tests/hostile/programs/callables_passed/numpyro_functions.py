"""file: effects in the handlers and kernels of NumPyro that call functions of the program."""

import os

import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro import handlers


def model():
    return numpyro.sample("x", dist.Normal(0, 1))


def hide(site):
    os.makedirs("pwned_numpyro_functions", exist_ok=True)
    return False


with handlers.seed(rng_seed=0), handlers.block(hide_fn=hide):
    x = model()
y = handlers.substitute(handlers.seed(model, 0), substitute_fn=lambda site: open("pwned_numpyro_functions_sub", "w") and None)()
