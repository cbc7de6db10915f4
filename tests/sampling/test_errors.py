"""What an exception of a library says of the call that it is raised in."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from types import FunctionType

import pytest

from jaxtyping_core.sampling.errors import Inconclusive, Refused, verdict


def assert_context(symbol: str) -> None:
    """What Haiku calls first in all functions that need a transformation around them."""
    raise ValueError(f"`{symbol}` must be used as part of an `hk.transform`")


def check_shape(symbol: str) -> None:
    raise ValueError(f"`{symbol}` got a wrong shape")


@pytest.mark.parametrize(("function", "outcome"), [(assert_context, Inconclusive), (check_shape, Refused)])
def test_call_without_a_transformation_is_not_refused_for_its_arguments(
    function: Callable[[str], None], outcome: type[Exception]
) -> None:
    module = {"__name__": "haiku._src.base", "__builtins__": builtins}
    of_haiku = FunctionType(function.__code__, module)
    with pytest.raises(ValueError) as raised:
        of_haiku("hk.set_state")
    assert isinstance(verdict(raised.value, symbolic=False), outcome)


@pytest.mark.parametrize(
    "message",
    [
        "Input dtypes ({}) have no available implicit dtype promotion path.",
        "Accepted dtypes at position 0 are subtypes of {}.",
    ],
)
def test_dtypes_of_a_set_are_in_one_order(message: str) -> None:
    """JAX lists them in another order in each process."""
    orders = ("'bfloat16', 'float8_e4m3fn'", "'float8_e4m3fn', 'bfloat16'")
    refusals = {str(verdict(TypeError(message.format(order)), symbolic=False)) for order in orders}
    assert refusals == {message.format(orders[0])}
