"""Formulas of sizes: those that are equal have one normal form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxtyping_core.domain.expressions import FUNCTIONS, NotAnExpression, NotArithmetic
from jaxtyping_core.domain.formulas import (
    may_be_equal,
    normal,
    substituted,
    symbols_of,
)

SIZES = {"a": 3, "b": 5, "n": 8}
expressions = st.recursive(
    st.sampled_from([*SIZES, "1", "2", "4"]),
    lambda inner: (
        st.builds(lambda a, op, b: f"({a} {op} {b})", inner, st.sampled_from(["+", "-", "*"]), inner)
        | st.builds(
            lambda a, op, n: f"({a} {op} {n})", inner, st.sampled_from(["//", "%"]), st.integers(1, 5)
        )
        | st.builds(lambda f, a, b: f"{f}({a}, {b})", st.sampled_from(["min", "max"]), inner, inner)
    ),
    max_leaves=8,
)


@given(expressions)
def test_normal_forms_are_equal(expression: str) -> None:
    written = normal(expression)
    assert eval(written, {**FUNCTIONS, **SIZES}) == eval(expression, {**FUNCTIONS, **SIZES})
    assert normal(written) == written
    assert symbols_of(written) <= symbols_of(expression)
    assert eval(substituted(expression, SIZES), dict(FUNCTIONS)) == eval(expression, {**FUNCTIONS, **SIZES})


@pytest.mark.parametrize(
    ("expression", "other"),
    [
        ("n+1", "1 + n"),
        ("2*(a+b) - b*2", "a + a"),
        ("(4*n)//2", "n*2"),
        ("(4*n + 2) % 2", "0"),
        ("+n", "n"),
        ("(n+1)//2", "floordiv(1 + n, 2)"),
        ("(a+b)**2", "a*a + 2*b*a + b*b"),
        ("min(a, b)", "min(b, a)"),
        ("max(a, b, a)", "max(b, a)"),
    ],
)
def test_equal_expressions(expression: str, other: str) -> None:
    assert normal(expression) == normal(other)


def test_what_is_no_arithmetic() -> None:
    for expression in ("n / 2", "n.size", "f(n)", "n // 0 + 1 // 0", "a if b else n"):
        with pytest.raises(NotArithmetic):
            normal(expression)
    for expression in (
        "n ^ 2",
        "max(n)",
        "floordiv(n)",
        "mod(n, 2, 3)",
        "True",
        "n ** -1",
        "(a + b + n) ** 64",
    ):
        with pytest.raises(NotArithmetic):
            normal(expression)
    with pytest.raises(NotAnExpression):
        normal("2n")


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("2*(D // 2)", "D", True),
        ("h*(d // h)", "d", True),
        ("6*(B*D // 6)", "B*D", True),
        ("N - N % 2", "N", True),
        ("(N + 1) // 2", "N // 2", True),
        ("64*(D // 64)", "D", True),
        ("(N + 1) // 2", "N", False),
        ("N // 2", "N", False),
        ("2*(D // 2)", "B", False),
        ("N + 1", "N", False),
        ("2*(D // 2)", "4", False),
    ],
)
def test_what_is_equal_where_nothing_remains(left: str, right: str, expected: bool) -> None:
    assert may_be_equal(left, right) is expected
