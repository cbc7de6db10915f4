"""What an exception of a library says of the call that it is raised in."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from types import FunctionType

import pytest

from jaxtyping_core.sampling.errors import Refused, Undecided, verdict


def assert_context(symbol: str) -> None:
    """What Haiku calls first in all functions that need a transformation around them."""
    raise ValueError(f"`{symbol}` must be used as part of an `hk.transform`")


def check_shape(symbol: str) -> None:
    raise ValueError(f"`{symbol}` got a wrong shape")


@pytest.mark.parametrize(("function", "outcome"), [(assert_context, Undecided), (check_shape, Refused)])
def test_call_without_a_transformation_is_not_refused_for_its_arguments(
    function: Callable[[str], None], outcome: type[Exception]
) -> None:
    module = {"__name__": "haiku._src.base", "__builtins__": builtins}
    of_haiku = FunctionType(function.__code__, module)
    with pytest.raises(ValueError) as raised:
        of_haiku("hk.set_state")
    assert isinstance(verdict(raised.value, symbolic=False), outcome)
