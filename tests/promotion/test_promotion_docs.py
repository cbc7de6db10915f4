"""The examples in the docstrings give what they say."""

import doctest

import pytest

from jaxtyping_core import lattice, promotion


@pytest.fixture(autouse=True)
def without_x64(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(promotion, "x64_enabled", lambda: False)


@pytest.mark.parametrize("module", [lattice, promotion])
def test_docstrings(module) -> None:
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0
