"""The operations of JAX without a finite slope at some numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np


class Slopeless(NamedTuple):
    """An operation without a finite slope at some numbers: which input, at which numbers, and what people call it.

    `at` gets the numbers of the input, those of a power, and the parameters of the operation.
    """

    position: int
    at: Callable[..., Any]
    name: str


def _powers(value: Any, power: Any, _: Any) -> Any:
    """The numbers of which a power has no slope, if that power is known."""
    if power is None:
        return np.zeros(value.shape, bool)
    return ((value < 0) & (power != np.floor(power))) | ((value == 0) & (power < 1) & (power != 0))


#: The operations without a slope somewhere.
SLOPELESS: Mapping[str, Slopeless] = {
    "sqrt": Slopeless(0, lambda value, *_: value <= 0, "sqrt"),
    "rsqrt": Slopeless(0, lambda value, *_: value <= 0, "rsqrt"),
    "cbrt": Slopeless(0, lambda value, *_: value == 0, "cbrt"),
    "log": Slopeless(0, lambda value, *_: value == 0, "log"),
    "log1p": Slopeless(0, lambda value, *_: value == -1, "log1p"),
    "div": Slopeless(1, lambda value, *_: value == 0, "the division"),
    "asin": Slopeless(0, lambda value, *_: abs(value) >= 1, "arcsin"),
    "acos": Slopeless(0, lambda value, *_: abs(value) >= 1, "arccos"),
    "acosh": Slopeless(0, lambda value, *_: value <= 1, "arccosh"),
    "atanh": Slopeless(0, lambda value, *_: abs(value) == 1, "arctanh"),
    "integer_pow": Slopeless(0, lambda value, _, params: (value == 0) & (params["y"] < 0), "the power"),
    "pow": Slopeless(0, _powers, "the power"),
}
