"""Conditions in functions that JAX traces, and in those that it does not trace at all. Each program that fails has a twin that is right."""

import math
import sys
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


# %% an if of a static argument
@partial(jax.jit, static_argnums=1)
def pooled(x, axis):
    if axis > 0:
        return x.sum(axis)
    return x.sum()


pooled(jnp.ones((2, 3)), 1)


# %% an if of an argument that is not static
@jax.jit
def pooled(x, keep):
    if keep:  # E: tracing
        return x
    return x * 0


pooled(jnp.ones((2, 3)), True)


# %% an if of None
@jax.jit
def attended(q, mask=None):
    if mask is not None:
        q = jnp.where(mask, q, 0)
    return q


attended(jnp.ones(3), jnp.array([True, False, True]))
attended(jnp.ones(3))  # E(engine, show, server): compiled


# %% an if in a custom derivative that runs at once
@jax.custom_vjp
def safe(x):
    if x.sum() > 0:
        return x
    return -x


safe.defvjp(lambda x: (safe(x), None), lambda _, g: (g,))
safe(jnp.ones(2))


# %% the same in a jitted function
@jax.custom_vjp
def safe(x):
    if x.sum() > 0:  # E: tracing
        return x
    return -x


safe.defvjp(lambda x: (safe(x), None), lambda _, g: (g,))
jax.jit(lambda x: safe(x) * 2)(jnp.ones(2))


# %% an if of a checkpointed function
@jax.checkpoint
def block(x):
    if x.sum() > 0:  # E: tracing
        return x
    return -x


block(jnp.ones(2))


# %% a function that is never called
@jax.jit
def block(x):
    if x.sum() > 0:
        return x
    return -x


# %% a try around it
@jax.jit
def block(x):
    try:
        return x if x.sum() > 0 else -x
    except jax.errors.TracerBoolConversionError:
        return x


block(jnp.ones(2))
# %% an if for arrays that are not traced
@jax.jit
def checked(x):
    if isinstance(x, jax.core.Tracer):
        return x * 2
    if x > 0:
        return x
    return -x


checked(2.0)
# %% an if for traced arrays alone
@jax.jit
def checked(x):
    if not isinstance(x, jax.core.Tracer):
        return x * 2
    if x > 0:  # E: tracing
        return x
    return -x


checked(2.0)
# %% an if of a jitted function where compilation is switched off
jax.config.update("jax_disable_jit", True)


@jax.jit
def clip(x):
    return x / 2 if x.max() > 1 else x


clip(jnp.ones(3))
jax.config.update("jax_disable_jit", False)
# %% an if of a jitted function where it is switched on again
jax.config.update("jax_disable_jit", False)


@jax.jit
def clip(x):
    return x / 2 if x.max() > 1 else x  # E: tracing


clip(jnp.ones(3))
