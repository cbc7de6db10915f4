"""Gradients of one's own: custom_vjp with static arguments, custom_jvp, straight-through, clipping."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import custom_jvp, custom_vjp


@partial(custom_vjp, nondiff_argnums=(1,))
def clip_gradient(x, limit):
    return x


def clip_gradient_fwd(x, limit):
    return x, None


def clip_gradient_bwd(limit, residuals, g):
    return (jnp.clip(g, -limit, limit),)


clip_gradient.defvjp(clip_gradient_fwd, clip_gradient_bwd)


@custom_jvp
def safe_log(x):
    return jnp.log(jnp.where(x > 0, x, 1.0))


@safe_log.defjvp
def safe_log_jvp(primals, tangents):
    (x,), (t,) = primals, tangents
    y = safe_log(x)
    return y, t / jnp.maximum(x, 1e-6)


@custom_vjp
def fixed_point_sqrt(a):
    def cond(state):
        x, previous = state
        return jnp.any(jnp.abs(x - previous) > 1e-6)

    def body(state):
        x, _ = state
        return 0.5 * (x + a / x), x

    x, _ = jax.lax.while_loop(cond, body, (a, jnp.zeros_like(a)))
    return x


def sqrt_fwd(a):
    x = fixed_point_sqrt(a)
    return x, (x,)


def sqrt_bwd(res, g):
    (x,) = res
    return (g / (2 * x),)


fixed_point_sqrt.defvjp(sqrt_fwd, sqrt_bwd)


def round_through(x):
    return x + jax.lax.stop_gradient(jnp.round(x) - x)


@jax.custom_jvp
def smooth_abs(x, width):
    return jnp.where(jnp.abs(x) < width, x**2 / (2 * width) + width / 2, jnp.abs(x))


smooth_abs.defjvps(
    lambda t, ans, x, width: t * jnp.clip(x / width, -1, 1),
    None,
)

x = jnp.array([-1.0, 0.5, 2.0])
clipped = jax.grad(lambda v: (clip_gradient(v, 0.5) ** 2).sum())(x)
logs, dlogs = jax.jvp(safe_log, (x,), (jnp.ones_like(x),))
roots = fixed_point_sqrt(jnp.array([1.0, 4.0, 9.0]))
slopes = jax.vmap(jax.grad(fixed_point_sqrt))(jnp.array([1.0, 4.0]))
rounded = round_through(x)
through = jax.grad(lambda v: (round_through(v) * x).sum())(x)
value, pullback = jax.vjp(smooth_abs, x, 0.5)
bar, width_bar = pullback(jnp.ones(3))
second = jax.jacfwd(jax.jacrev(lambda v: safe_log(v).sum()))(x)
jitted = jax.jit(clip_gradient, static_argnums=1)(x, 0.1)
print(clipped, dlogs, roots, slopes, rounded, through, bar, width_bar, second.shape, jitted)
