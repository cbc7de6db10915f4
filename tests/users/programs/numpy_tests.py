"""Checks of small functions against NumPy, as a test file that also runs as a script."""

import jax
import jax.numpy as jnp
import numpy as np
from numpy.testing import assert_allclose

rng = np.random.default_rng(1234)


def softmax(x, axis=-1):
    shifted = x - jnp.max(x, axis=axis, keepdims=True)
    exponents = jnp.exp(shifted)
    return exponents / exponents.sum(axis=axis, keepdims=True)


def moving_average(x, window):
    kernel = jnp.ones(window) / window
    return jnp.convolve(x, kernel, mode="valid")


def test_softmax() -> None:
    x = rng.normal(size=(4, 7)).astype(np.float32)
    expected = np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)
    assert_allclose(softmax(jnp.asarray(x)), expected, rtol=1e-5)


def test_moving_average() -> None:
    x = np.arange(10.0, dtype=np.float32)
    assert_allclose(moving_average(x, 3), np.arange(1.0, 9.0), rtol=1e-5)


def test_lstsq() -> None:
    a = jnp.asarray(rng.normal(size=(12, 3)), jnp.float32)
    coefficients = jnp.array([1.0, -1.0, 2.0])
    b = a @ coefficients
    solution = jnp.linalg.inv(a.T @ a) @ (a.T @ b)
    assert solution.shape == (3,)
    assert_allclose(solution, coefficients, atol=1e-4)


def test_batched_outer() -> None:
    left = jnp.array(np.eye(5, 3, dtype=np.float32))
    right = jnp.asarray(np.full((5, 4), 0.5, dtype=np.float32))
    outer = left[:, :, None] * right[:, None, :]
    assert_allclose(outer, jnp.einsum("bi,bj->bij", left, right), rtol=1e-6)
    assert outer.shape == (5, 3, 4)
    mixed = outer.astype(jnp.bfloat16)
    assert mixed.dtype == jnp.bfloat16


def test_sorting() -> None:
    x = jnp.array(rng.permutation(20))
    order = jnp.argsort(x)
    assert bool((x[order] == jnp.arange(20)).all())
    ranks = jnp.zeros(20, dtype=jnp.int32).at[order].set(jnp.arange(20))
    np.testing.assert_array_equal(ranks, x)


def test_gradient() -> None:
    x = jnp.asarray(rng.normal(size=6).astype(np.float32))
    gradient = jax.grad(lambda z: jnp.sum(z**3))(x)
    assert_allclose(gradient, 3 * x**2, rtol=1e-4)


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
        print(name, "passed")
