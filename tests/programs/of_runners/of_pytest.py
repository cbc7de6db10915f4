"""Tests that pytest runs. The lines that stop one of them have the comment ``error``.

The marks are what is tested: `check` leaves out what pytest leaves out. Nothing of the project is skipped by them.
"""

import jax
import jax.numpy as jnp
import pytest


@pytest.fixture
def width():
    return 3


@pytest.fixture(name="weights")
def made_weights(width):
    return jnp.ones((width, 4))


@pytest.fixture(params=[3, 4])
def several(request):
    return request.param


@pytest.fixture
def yielded():
    yield jnp.ones(3)


def test_plain():
    jnp.ones((3, 2)) @ jnp.ones((4, 2))  # error


def test_fixture(weights):
    jnp.ones((2, 4)) @ weights  # error


def test_fixture_right(weights):
    assert (jnp.ones((2, 3)) @ weights).shape == (2, 4)


def test_of_unknown_fixtures(several, yielded, tmp_path):
    jnp.ones((2, several)) @ jnp.ones((several, 4)) + yielded[0]


@pytest.mark.parametrize("n", [1, 2])
@pytest.mark.parametrize(("m", "k"), [(1, 2), pytest.param(2, 3, id="a")])
def test_combinations(n, m, k):
    jnp.ones((k, n)) @ jnp.ones((1, m))  # error


@pytest.mark.parametrize("n", [1, 2])
def test_combinations_right(n):
    jnp.ones((3, n)) @ jnp.ones((n, 3))


@pytest.mark.parametrize("n, m", [(1, 2), (2, 3)])
def test_tuples_right(n, m):
    jnp.ones((n, m)) @ jnp.ones((n + 1, m)).T


@pytest.mark.parametrize("several", [1, 3], indirect=True)
def test_indirect(several):
    jnp.ones(several) + jnp.ones(3)


@pytest.mark.parametrize("n", [pytest.param(4, marks=pytest.mark.xfail), 3])
def test_one_fails(n):
    jnp.ones(n) + jnp.ones(3)


@pytest.mark.xfail
def test_to_fail():
    jnp.ones((3, 2)) @ jnp.ones((4, 2))


@pytest.mark.skipif(jax.device_count() < 1000, reason="there are not enough devices")
def test_not_run():
    jnp.ones((3, 2)) @ jnp.ones((4, 2))


def test_ended():
    pytest.skip("not here")
    jnp.ones((3, 2)) @ jnp.ones((4, 2))


@pytest.mark.slow
def test_with_own_mark():
    jnp.ones((3, 2)) @ jnp.ones((4, 2))  # error


def test_raises():
    with pytest.raises(TypeError):
        jnp.ones((3, 2)) @ jnp.ones((4, 2))


class TestClass:
    size = 3

    def test_method(self):
        jnp.ones((3, 2)) @ jnp.ones((4, 2))  # error

    def test_of_class(self):
        jnp.ones(self.size) + jnp.ones(3)


@pytest.mark.skip
class TestSkipped:
    def test_method(self):
        jnp.ones((3, 2)) @ jnp.ones((4, 2))
