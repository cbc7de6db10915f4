# ruff: noqa: RET504 - the examples are as they stand in the tutorial, with names for what they return
"""The examples of JAX's tutorial "Autodidax", parts 3 and 4, give the numbers printed there.

Source: https://docs.jax.dev/en/latest/autodidax.html. The numbers are those with 64-bit types on.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import jax
import numpy as np
import pytest

import jaxtyping_core.numpy as lnp
from jaxtyping_core.numpy import grad, jit, jvp, linearize, vjp, vmap


@pytest.fixture(autouse=True)
def x64() -> Iterator[None]:
    with jax.enable_x64(True):
        yield


def f(x):
    y = lnp.sin(x) * 2.0
    z = -y + x
    return z


def test_jit_traces_once() -> None:
    traced = []

    @jit
    def f(x, y):
        traced.append("tracing!")
        return lnp.sin(x) * lnp.cos(y)

    assert float(f(3.0, 4.0)) == pytest.approx(-0.09224219304455371, abs=1e-16)
    assert float(f(4.0, 5.0)) == pytest.approx(-0.21467624978306993, abs=1e-16)
    assert traced == ["tracing!"]


def test_jit_of_a_reduction() -> None:
    @jit
    def f(x):
        return lnp.sum(x, axis=0)

    assert float(f(np.array([1.0, 2.0, 3.0]))) == 6.0


def test_derivatives_of_derivatives() -> None:
    def deriv(f):
        return lambda x: jvp(f, (x,), (1.0,))[1]

    assert float(deriv(deriv(f))(3.0)) == pytest.approx(0.2822400161197344, abs=1e-15)
    assert float(jit(deriv(deriv(f)))(3.0)) == pytest.approx(0.2822400161197344, abs=1e-15)


def test_jvp_and_vmap_of_jit() -> None:
    traced = []

    @jit
    def f(x):
        traced.append("tracing!")
        y = lnp.sin(x) * 2.0
        z = -y + x
        return z

    for _ in range(2):
        y, ydot = jvp(f, (3.0,), (1.0,))
        assert float(y) == pytest.approx(2.7177599838802657, abs=1e-15)
        assert float(ydot) == pytest.approx(2.979984993200891, abs=1e-15)
    assert traced == ["tracing!"]
    ys = vmap(f, (0,))(np.arange(3.0))
    np.testing.assert_allclose(ys, [0.0, -0.68294197, 0.18140515], atol=5e-9)


def test_linearize() -> None:
    y, sin_lin = linearize(lnp.sin, 3.0)
    assert float(y) == pytest.approx(0.1411200080598672, abs=1e-15)
    assert float(sin_lin(1.0)) == pytest.approx(-0.9899924966004454, abs=1e-15)


def test_linearize_of_jit() -> None:
    y, f_lin = linearize(jit(f), 3.0)
    assert (float(y), float(f_lin(1.0))) == pytest.approx((2.7177599838802657, 2.979984993200891), abs=1e-15)

    @jit
    def outer(x):
        y = lnp.sin(x) * 2.0
        z = g(x, y)
        return z

    @jit
    def g(x, y):
        return lnp.cos(x) + y

    y, f_lin = linearize(outer, 3.0)
    assert (float(y), float(f_lin(1.0))) == pytest.approx(
        (-0.7077524804807109, -2.121105001260758), abs=1e-15
    )


def test_vjp_and_grad() -> None:
    _, f_vjp = vjp(lnp.sin, 3.0)
    (x_bar,) = f_vjp(1.0)
    assert float(x_bar) == pytest.approx(-0.9899924966004454, abs=1e-15)
    assert float(grad(f)(3.0)) == pytest.approx(2.979984993200891, abs=1e-15)

    @jit
    def outer(x):
        y = x * 2.0
        z = g(y)
        return z

    @jit
    def g(x):
        return lnp.cos(x) * 2.0

    assert float(grad(outer)(3.0)) == pytest.approx(1.1176619927957034, abs=1e-15)


def test_the_composability_stress_test() -> None:
    def f(x):  # from core_test.py fun_with_nested_calls_2
        @jit
        def bar(y):
            def baz(w):
                q = jit(lambda x: y)(x)
                q = q + jit(lambda: y)()
                q = q + jit(lambda y: w + y)(y)
                q = jit(lambda w: jit(lnp.sin)(x) * y)(1.0) + q
                return q

            p, t = jvp(baz, (x + 1.0,), (y,))
            return t + (x * p)

        return bar(x)

    def all_close(*values) -> None:
        for value, following in itertools.pairwise(values):
            np.testing.assert_allclose(value, following)

    all_close(f(3.0), jit(f)(3.0), jvp(f, (3.0,), (5.0,))[0], jvp(jit(f), (3.0,), (5.0,))[0])
    all_close(
        grad(f)(3.0),
        grad(jit(f))(3.0),
        jit(grad(jit(f)))(3.0),
        jvp(f, (3.0,), (1.0,))[1],
        jvp(jit(f), (3.0,), (1.0,))[1],
    )
    all_close(
        grad(grad(f))(3.0),
        grad(grad(jit(f)))(3.0),
        grad(jit(grad(f)))(3.0),
        jit(grad(grad(f)))(3.0),
        jvp(grad(f), (3.0,), (1.0,))[1],
        jvp(jit(grad(f)), (3.0,), (1.0,))[1],
    )


def test_control_flow_on_concrete_values_under_grad() -> None:
    def f(x):
        return lnp.sin(x) if x > 0 else lnp.cos(x)

    assert float(grad(f)(3.0)) == pytest.approx(-0.9899924966004454, abs=1e-15)
    assert float(grad(f)(-3.0)) == pytest.approx(0.1411200080598672, abs=1e-15)
    with pytest.raises(jax.errors.TracerBoolConversionError):
        jit(f)(3.0)
