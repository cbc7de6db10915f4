"""The texts of jaxtyping's annotations, read as jaxtyping reads them."""

from __future__ import annotations

import jax
import jaxtyping
import pytest

from jaxtyping_core._annotations.scalars import CLASSES
from jaxtyping_core.contracts.axes import ANY_AXES, ANY_AXIS, Axis
from jaxtyping_core.contracts.dim_strings import DimStringError, parse
from jaxtyping_core.contracts.dtype_names import class_name


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
