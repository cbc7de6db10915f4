"""Overloads by rank, put together for any rank."""

from __future__ import annotations

from inspect import Parameter

import pytest

from jaxtyping_core_stubs.rules.thrift import Overload
from jaxtyping_core_stubs.rules.variadic import blocks

ANY = Parameter.empty


def overload(dims: str, axis: str, result: str, default: object = ANY) -> Overload:
    """A row of a function of a list of arrays and an axis."""
    kind = Parameter.POSITIONAL_OR_KEYWORD
    arrays = Parameter("arrays", kind, annotation=f"Sequence[_Item[_O, tuple[{dims}], _Known]]")
    return Overload(
        [arrays, Parameter("axis", kind, annotation=axis, default=default)], f"Array[_Known, {result}]"
    )


def spelled(rows: list[Overload]) -> list[tuple[str, str, object, str]]:
    return [
        (str(arrays.annotation), str(axis.annotation), axis.default, result)
        for (arrays, axis), result in rows
    ]


def test_a_dim_that_is_replaced() -> None:
    rows = [
        overload("Any", "Literal[0]", "tuple[Unk]", 0),
        overload("Any, _N", "Literal[0, -2]", "tuple[Unk, _N]", 0),
        overload("_N, Any", "Literal[1, -1]", "tuple[_N, Unk]"),
        overload("_M, _N, Any", "Literal[2, -1]", "tuple[_M, _N, Unk]"),
        overload("_M, Any, _N", "Literal[1, -2]", "tuple[_M, Unk, _N]"),
        overload("Any, Any", "int", "tuple[Unk, Unk]"),
    ]
    (block,) = blocks(rows)
    assert block.by_rank == rows
    assert spelled(block.of_any_rank) == [
        ("Sequence[_Item[_O, tuple[Any, *_Ts], _Known]]", "Literal[0]", 0, "Array[_Known, tuple[Unk, *_Ts]]"),
        (
            "Sequence[_Item[_O, tuple[*_Ts, Any], _Known]]",
            "Literal[-1]",
            ANY,
            "Array[_Known, tuple[*_Ts, Unk]]",
        ),
        (
            "Sequence[_Item[_O, tuple[_K, Any, *_Ts], _Known]]",
            "Literal[1]",
            ANY,
            "Array[_Known, tuple[_K, Unk, *_Ts]]",
        ),
    ]


def test_a_dim_that_is_added() -> None:
    rows = [
        overload("()", "Literal[0]", "tuple[Unk]", 0),
        overload("_N", "Literal[0]", "tuple[Unk, _N]", 0),
        overload("_M, _N", "Literal[0]", "tuple[Unk, _M, _N]", 0),
    ]
    (block,) = blocks(rows)
    assert spelled(block.of_any_rank) == [
        ("Sequence[_Item[_O, tuple[*_Ts], _Known]]", "Literal[0]", 0, "Array[_Known, tuple[Unk, *_Ts]]")
    ]


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([overload("Any, _N", "Literal[0]", "tuple[_N]")], id="one rank is no rule"),
        pytest.param(
            [
                overload("_N", "Literal[0]", "tuple[_N]"),
                overload("_M, _N", "Literal[0]", "tuple[_N, _M]"),
            ],
            id="ranks that differ",
        ),
        pytest.param([Overload([], "Array[_Known, tuple[_N]]")], id="no list"),
    ],
)
def test_what_is_left_as_it_is(rows: list[Overload]) -> None:
    (block,) = blocks(rows)
    assert block.of_any_rank is block.by_rank
