"""One child for the tests of a module."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from jaxtyping_core.evaluation.client import Evaluator


@pytest.fixture(scope="module")
def evaluator() -> Iterator[Evaluator]:
    child = Evaluator(sys.executable)
    yield child
    child.close()
