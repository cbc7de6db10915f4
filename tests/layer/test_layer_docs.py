"""The examples in the docstrings of the layer run."""

from __future__ import annotations

import doctest

from jaxtyping_core.numpy import _checked


def test_docstrings() -> None:
    assert doctest.testmod(_checked).failed == 0
