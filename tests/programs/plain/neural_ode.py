"""Differential equations: steppers as functions of functions, odeint by scan, a learned field, an adjoint."""

from functools import partial, reduce
from typing import Callable

import jax
import jax.numpy as jnp
from jax import lax

compose = lambda *fs: reduce(lambda f, g: lambda x: g(f(x)), fs)


def euler(f, t, y, h):
    return jax.tree.map(lambda a, k: a + h * k, y, f(t, y))


def rk4(f: Callable, t, y, h):
    def shifted(k, c):
        return jax.tree.map(lambda a, b: a + c * h * b, y, k)

    k1 = f(t, y)
    k2 = f(t + h / 2, shifted(k1, 0.5))
    k3 = f(t + h / 2, shifted(k2, 0.5))
    k4 = f(t + h, shifted(k3, 1.0))
    return jax.tree.map(lambda a, *ks: a + h / 6 * (ks[0] + 2 * ks[1] + 2 * ks[2] + ks[3]), y, k1, k2, k3, k4)


def odeint(f, y0, ts, stepper=rk4, substeps=2):
    def interval(y, pair):
        start, stop = pair
        h = (stop - start) / substeps
        y = lax.fori_loop(0, substeps, lambda i, y: stepper(f, start + i * h, y, h), y)
        return y, y

    _, path = lax.scan(interval, y0, (ts[:-1], ts[1:]))
    return jax.tree.map(lambda a, rest: jnp.concatenate([a[None], rest]), y0, path)


def lorenz(t, state, sigma=10.0, rho=28.0, beta=8 / 3):
    x, y, z = state
    return sigma * (y - x), x * (rho - z) - y, x * y - beta * z


def spiral(t, y):
    return y**3 @ jnp.array([[-0.1, 2.0], [-2.0, -0.1]])


def field(params, t, y):
    layers = [lambda h, w=w, b=b: jnp.tanh(h @ w + b) for w, b in params[:-1]]
    w, b = params[-1]
    return compose(*layers)(y**3) @ w + b


def fit_loss(params, ts, target):
    predicted = odeint(partial(field, params), target[0], ts, stepper=euler)
    return jnp.mean(jnp.abs(predicted - target))


def adaptive(f, t, y, stop, h=0.1, tolerance=1e-4):
    """Steps in Python, as long as they need to be."""
    accepted = 0
    while t < stop:
        h = min(h, stop - t)
        full = rk4(f, t, y, h)
        half = rk4(f, t + h / 2, rk4(f, t, y, h / 2), h / 2)
        error = float(jnp.abs(full - half).max())
        if error < tolerance:
            t, y = t + h, half
            accepted += 1
        h *= 0.9 * min(2.0, max(0.3, (tolerance / (error + 1e-12)) ** 0.2))
    return y, accepted


ts = jnp.linspace(0.0, 1.0, 21)
xs, ys, zs = odeint(lorenz, tuple(map(jnp.float32, (1, 1, 1))), ts)
start = jnp.array([2.0, 0.0])
truth = odeint(spiral, start, ts)
keys = jax.random.split(jax.random.PRNGKey(0))
params = [
    (0.1 * jax.random.normal(keys[0], (2, 16)), jnp.zeros(16)),
    (0.1 * jax.random.normal(keys[1], (16, 2)), jnp.zeros(2)),
]
step = jax.jit(jax.value_and_grad(fit_loss))
for i in range(10):
    value, grads = step(params, ts, truth)
    params = jax.tree.map(lambda p, g: p - 0.05 * g, params, grads)
end, accepted = adaptive(spiral, 0.0, start, 1.0)
error = jnp.linalg.norm(end - truth[-1])
starts = jnp.stack([start, start + 0.1, -start])
bundle = jax.vmap(odeint, in_axes=(None, 0, None))(spiral, starts, ts)
flow = jax.jacobian(lambda y: odeint(spiral, y, ts)[-1])(start)
volume = jnp.linalg.det(flow)
doubled = compose(jnp.sin, lambda v: v * 2, jnp.cos)(ts)
print(xs.shape, value, accepted, error, bundle.shape, volume, doubled.shape)
