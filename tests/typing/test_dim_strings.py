"""The texts of jaxtyping's annotations: read as jaxtyping reads them; and arithmetic of sizes."""

from __future__ import annotations

import jax
import jaxtyping
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxtyping_core._annotations.arithmetic import (
    FUNCTIONS,
    NotArithmetic,
    may_be_equal,
    normal,
    substituted,
    symbols_of,
)
from jaxtyping_core._annotations.scalars import CLASSES
from jaxtyping_core.contracts.axes import ANY_AXES, ANY_AXIS, Axis
from jaxtyping_core.contracts.dim_strings import DimStringError, parse
from jaxtyping_core.contracts.dtype_names import class_name

SIZES = {"a": 3, "b": 5, "n": 8}


def of_values(text: str) -> Axis:
    return Axis(by_value=text)


@pytest.mark.parametrize(
    ("text", "axes"),
    [
        ("", ()),
        (" b n ", (Axis(name="b"), Axis(name="n"))),
        ("3 rows=4", (Axis(sizes=frozenset([3])), Axis(sizes=frozenset([4])))),
        ("_ ... _x", (ANY_AXIS, ANY_AXES, ANY_AXIS)),
        ("*batch n", (Axis(name="batch", variadic=True), Axis(name="n"))),
        ("#n *#b", (Axis(name="n", broadcastable=True), Axis(name="b", variadic=True, broadcastable=True))),
        ("?n", (Axis(name="n", by_leaf=True),)),
        ("n+1 2*n min(a,b)", (Axis(expression="n+1"), Axis(expression="2*n"), Axis(expression="min(a,b)"))),
        ("{n} 2*{k}+n {self.size}//2", tuple(map(of_values, ("{n}", "2*{k}+n", "{self.size}//2")))),
        ("a.b", (ANY_AXIS,)),
    ],
)
def test_axes(text: str, axes: tuple[Axis, ...]) -> None:
    assert parse(text) == axes
    assert jaxtyping.Float[jax.Array, text] is not None


REFUSED = {
    "b,n": 0,
    "b n#": 2,
    "a...": 0,
    "##n": 0,
    "a *b *c": 5,
    "*3": 0,
    "#_": 0,
    "_3": 0,
    "?3": 0,
    "_n+1": 0,
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_jaxtyping_refuses(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        jaxtyping.Float[jax.Array, text]
    with pytest.raises(DimStringError) as caught:
        parse(text)
    assert caught.value.offset == REFUSED[text]


def test_what_jaxtyping_refuses_later() -> None:
    with pytest.raises(DimStringError, match="not a name, a number or an expression"):
        parse("b  2n")


def test_dtypes() -> None:
    names = [name for name in vars(jaxtyping) if isinstance(getattr(jaxtyping, name), type)]
    dtypes = [
        name
        for name in names
        if isinstance(getattr(getattr(jaxtyping, name), "dtypes", None), (list, tuple, str))
    ]
    assert len(dtypes) > 25
    for name in dtypes:
        cls = class_name(name)
        assert cls == "prng_key" or cls in CLASSES, name
    assert class_name("Shaped") is None
    with pytest.raises(KeyError):
        class_name("Annotated")


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
        ("(n+1)//2", "floordiv(1 + n, 2)"),
        ("(a+b)**2", "a*a + 2*b*a + b*b"),
        ("min(a, b)", "min(b, a)"),
    ],
)
def test_equal_expressions(expression: str, other: str) -> None:
    assert normal(expression) == normal(other)


def test_what_is_no_arithmetic() -> None:
    for expression in ("n / 2", "n.size", "f(n)", "n // 0 + 1 // 0", "a if b else n"):
        with pytest.raises(NotArithmetic):
            normal(expression)
    with pytest.raises(SyntaxError):
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
