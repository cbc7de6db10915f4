"""Decorators of one's own beside those of jax: timing, a registry with options, checks, a cache."""

import functools
import time

import jax
import jax.numpy as jnp

REGISTRY = {}
CALLS = {}


def register(name=None, *, jit=False):
    def decorate(f):
        REGISTRY[name or f.__name__] = jax.jit(f) if jit else f
        return f

    return decorate


def counted(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        CALLS[f.__name__] = CALLS.get(f.__name__, 0) + 1
        return f(*args, **kwargs)

    return wrapper


def timed(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        start = time.perf_counter()
        out = jax.block_until_ready(f(*args, **kwargs))
        wrapper.seconds += time.perf_counter() - start
        return out

    wrapper.seconds = 0.0
    return wrapper


def expects_rank(n):
    def decorator(function):
        @functools.wraps(function)
        def inner(x, *rest, **options):
            if x.ndim != n:
                raise ValueError(f"{function.__name__} takes rank {n}, got {x.shape}")
            return function(x, *rest, **options)

        return inner

    return decorator


@register(jit=True)
def relu(x):
    return jnp.maximum(x, 0)


@register("soft")
def softplus(x, beta=1.0):
    return jnp.log1p(jnp.exp(beta * x)) / beta


@register(name="square")
@counted
def squared(x):
    return x * x


@timed
@functools.partial(jax.jit, static_argnames=("axis", "activation"))
def normalise(x, axis=-1, activation="relu"):
    y = REGISTRY[activation](x)
    return y / (y.sum(axis=axis, keepdims=True) + 1e-6)


@expects_rank(2)
@jax.jit
def gram(x):
    return x @ x.T


@functools.lru_cache(maxsize=None)
def window(n, kind="hann"):
    t = jnp.arange(n) / n
    if kind == "hann":
        return 0.5 - 0.5 * jnp.cos(2 * jnp.pi * t)
    return jnp.ones(n)


@jax.vmap
def centred(row):
    return row - row.mean()


@functools.partial(jax.vmap, in_axes=(0, None), out_axes=1)
def scaled(row, factors):
    return row[:2] * factors


x = jnp.linspace(-2.0, 2.0, 12).reshape(3, 4)
outputs = {name: f(x) for name, f in REGISTRY.items()}
total = sum(outputs.values())
rows = normalise(x)
columns = normalise(x, axis=0, activation="soft")
products = gram(x)
same = window(4) is window(4)
weighted = x * window(4) + window(4, kind="flat")
centre = centred(x)
wide = scaled(x, jnp.array([1, 10]))
try:
    gram(x[0])
except ValueError as error:
    print("refused:", error)
print(CALLS, same, normalise.seconds > 0, wide.shape)
