"""Closures over traced values in jitted functions in jitted functions, under every order of transformations."""

import jax

jax.config.update("jax_enable_x64", True)

import itertools

from jax import grad, jit, jvp
from jax.numpy import sin


def f(x):
    @jit
    def bar(y):
        def baz(w):
            q = jit(lambda x: y)(x)
            q = q + jit(lambda: y)()
            q = q + jit(lambda y: w + y)(y)
            q = jit(lambda w: jit(sin)(x) * y)(1.0) + q
            return q

        p, t = jvp(baz, (x + 1.0,), (y,))
        return t + (x * p)

    return bar(x)


def check_all_close(values):
    for a, b in itertools.pairwise(values):
        assert abs(a - b) < 1e-6 * abs(b)


answer = f(3.0)
jitted = jit(f)(3.0)
pushed, _ = jvp(f, (3.0,), (5.0,))
pushed_jitted, _ = jvp(jit(f), (3.0,), (5.0,))
check_all_close([answer, jitted, pushed, pushed_jitted])

deriv1 = grad(f)(3.0)
deriv2 = grad(jit(f))(3.0)
deriv3 = jit(grad(jit(f)))(3.0)
_, deriv4 = jvp(f, (3.0,), (1.0,))
_, deriv5 = jvp(jit(f), (3.0,), (1.0,))
check_all_close([deriv1, deriv2, deriv3, deriv4, deriv5])

hess1 = grad(grad(f))(3.0)
hess2 = grad(grad(jit(f)))(3.0)
hess3 = grad(jit(grad(f)))(3.0)
hess4 = jit(grad(grad(f)))(3.0)
_, hess5 = jvp(grad(f), (3.0,), (1.0,))
_, hess6 = jvp(jit(grad(f)), (3.0,), (1.0,))
_, hess7 = jvp(jit(grad(f)), (3.0,), (1.0,))
check_all_close([hess1, hess2, hess3, hess4, hess5, hess6, hess7])
