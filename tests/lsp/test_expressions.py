"""What is said of expressions by their arrays alone: which promotion took place, and which index lays one over another."""

from __future__ import annotations

import ast

import pytest

from jaxtyping_core.domain.arrays import AbstractArray
from jaxtyping_core.lsp.fixing import index_over
from jaxtyping_core.lsp.origins import explained
from jaxtyping_core.lsp.records import Known
from jaxtyping_core.lsp.source import Source

pytestmark = pytest.mark.one_python


@pytest.mark.parametrize("symbol", ["+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>"])
def test_hover_says_which_promotion_took_place(symbol: str) -> None:
    text = f"def f(a, b):\n    c = a {symbol} b\n    d = c * 2\n    return 0.5 * b - a\n"
    source = Source(text, ast.parse(text))
    dtypes = {"a": "bfloat16", "b": "float32", "c": "float32", "d": "float32", "0.5 * b": "float32"}
    known = [
        Known(source.span(node), AbstractArray.of(dtypes[name], False, (3,)))
        for node in ast.walk(source.tree)
        if isinstance(node, ast.expr | ast.arg) and (name := ast.unparse(node)) in dtypes
    ]
    told = [each for each in explained(source, known) if each.notes]
    assert [(each.span.line, each.span.column, each.notes) for each in told] == [
        (1, 4, (f"`bfloat16 {symbol} float32 -> float32`",))
    ]


@pytest.mark.parametrize(
    ("small", "large", "index"),
    [
        (["B"], ["B", "D"], "[:, None]"),
        (["B", "D"], ["B", "T", "D"], "[:, None]"),
        (["T", "D"], ["B", "T", "H", "D"], "[:, None]"),
        (["B"], ["B", "T", "D"], "[:, None, None]"),
        (["8"], ["8", "8", "3"], None),  # there are two ways
        (["B"], ["T", "D"], None),
        (["B", "D"], ["D", "B"], None),
    ],
)
def test_index_that_lays_one_array_over_another(
    small: list[str], large: list[str], index: str | None
) -> None:
    assert index_over(small, large) == index
