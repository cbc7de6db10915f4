"""Integers and floats under the options of the design document, which has no table of them but says what each is to do.

https://docs.jax.dev/en/latest/jep/9407-type-promotion.html, "Mixed Promotion": option 0 joins none, option 1 loses no precision, option
2 gives no wider float than the integer is wide, and option 3 keeps the float.
"""

from __future__ import annotations

import itertools

import pytest

from jaxtyping_core.promotion import find

INTEGERS, FLOATS = ("int8", "int16", "int32", "int64"), ("float16", "float32", "float64")
#: The smallest float that each integer may become.
SMALLEST: dict[str, dict[str, str | None]] = {
    "option-0": dict.fromkeys(INTEGERS),
    "option-1": {"int8": "float16", "int16": "float32", "int32": "float64", "int64": None},
    "option-2": {"int8": "float16", "int16": "float16", "int32": "float32", "int64": "float64"},
    "option-3": dict.fromkeys(INTEGERS, "float16"),
}


@pytest.mark.parametrize(("option", "integer", "floating"), [*itertools.product(SMALLEST, INTEGERS, FLOATS)])
def test_an_integer_and_a_float(option: str, integer: str, floating: str) -> None:
    smallest = SMALLEST[option][integer]
    expected = None if smallest is None else max(smallest, floating, key=FLOATS.index)
    assert find((integer, floating), option, True) == expected
    assert find((floating, integer), option, True) == expected
