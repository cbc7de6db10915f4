"""Annotations that are read from a syntax tree."""

from __future__ import annotations

import ast

import pytest

from jaxtyping_core.contracts.syntax import written_array


def names(annotation: str) -> tuple[str | None, ...] | None:
    """The names of the axes of an annotation of a program whose dtypes begin with "Float"."""
    array = written_array(
        ast.parse(annotation, mode="eval").body,
        lambda node: text if (text := ast.unparse(node)).startswith("Float") else None,
        str.isupper,
    )
    return None if array is None else array.names


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        ('Float[Array, "b n+1 3 rows=4 _ n"]', ("b", None, None, None, None, "n")),
        ('Float[Array, "#b ?n"]', (None, None)),
        ('Float[Array, "*b n"]', None),
        ('Float[Array, "b,n"]', None),
        ("\"Float[Array, 'n']\"", ("n",)),
        ('Float[Array, "n"] | None', ("n",)),
        ("Float32[B, D]", ("B", "D")),
        ("Float32[N]", ("N",)),
        ("Float32[*Bs, D]", None),
        ("Float32[Literal[3], x]", (None, None)),
        ("Float32", None),
        ('Other[Array, "n"]', None),
        ("'1 +'", None),
    ],
)
def test_names_of_axes(annotation: str, expected: tuple[str | None, ...] | None) -> None:
    assert names(annotation) == expected


def test_where_the_rank_is_open_an_array_is_still_known() -> None:
    assert written_array(ast.parse("Float32", mode="eval").body, ast.unparse) == ("Float32", None)
