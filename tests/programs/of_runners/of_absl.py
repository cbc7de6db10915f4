"""Tests that absl runs. The lines that stop one of them have the comment ``error``."""

import jax.numpy as jnp
from absl.testing import absltest, parameterized


class Plain(absltest.TestCase):
    def setUp(self):
        self.width = 4

    def test_plain(self):
        jnp.ones((3, 2)) @ jnp.ones((4, 2))  # error

    def test_of_set_up(self):
        jnp.ones(self.width) + jnp.ones(4)

    def test_raises(self):
        with self.assertRaises(TypeError):
            jnp.ones((3, 2)) @ jnp.ones((4, 2))

    def test_ended(self):
        self.skipTest("not here")

    @absltest.skip("not here")
    def test_skipped(self):
        jnp.ones((3, 2)) @ jnp.ones((4, 2))

    @absltest.expectedFailure
    def test_to_fail(self):
        jnp.ones((3, 2)) @ jnp.ones((4, 2))


class Parameterized(parameterized.TestCase):
    @parameterized.parameters(1, 2)
    def test_numbers(self, n):
        jnp.ones((3, n)) @ jnp.ones((1, n))  # error

    @parameterized.parameters((1, 2), (3, 4))
    def test_tuples(self, n, m):
        jnp.ones((n, m)) + jnp.ones((m, n))  # error

    @parameterized.parameters([(1, 2), (3, 4)])
    def test_listed_right(self, n, m):
        jnp.ones((n, m)) @ jnp.ones((n + 1, m)).T

    @parameterized.parameters({"n": 1, "m": 1}, {"n": 2, "m": 2})
    def test_dicts_right(self, n, m):
        jnp.ones((n, m)) + jnp.ones((m, n))

    @parameterized.named_parameters(("_small", 1), {"testcase_name": "_large", "n": 5})
    def test_named(self, n):
        jnp.ones(n) + jnp.ones(3)  # error

    @parameterized.product(n=[1, 2], m=(2, 3))
    def test_product(self, n, m):
        jnp.ones((2, n)) @ jnp.ones((m - 1, n)).T


if __name__ == "__main__":
    absltest.main()
