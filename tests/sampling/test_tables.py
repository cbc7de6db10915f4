"""What the tables of samples promise."""

from __future__ import annotations

import pytest

from jaxtyping_core.domain.dtypes import smallest_class
from jaxtyping_core.sampling.tables.dtypes import PASSED_DTYPES, of_each_kind


def test_no_class_has_all_dtypes_that_are_passed() -> None:
    assert smallest_class(frozenset(PASSED_DTYPES)) is None


@pytest.mark.parametrize(
    ("names", "whole", "tried"),
    [
        (["int8", "int32", "float16", "float32"], "f", ["float32", "float16", "int32"]),
        (["int8", "int32", "float16", "float32"], "", ["float32", "int32"]),
        # no row is among those of a kind: its first ones stand for it, and none of another kind
        (["uint16", "int16"], "", ["int16", "uint16"]),
        (["int2", "int4", "int16"], "i", ["int2", "int4"]),
        # these stand outside of promotion
        (["float0", "bool"], "", ["bool"]),
    ],
)
def test_dtypes_of_each_kind(names: list[str], whole: str, tried: list[str]) -> None:
    assert of_each_kind(names, whole) == tried
