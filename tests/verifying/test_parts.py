"""Sizes, the axes of annotations, and what fits them."""

from __future__ import annotations

import itertools
from typing import Any, Literal, TypeVar, TypeVarTuple

import jax.numpy as jnp
import jaxtyping
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxtyping_core.contracts.binding import Environment, Excluded
from jaxtyping_core.contracts.checking import check
from jaxtyping_core.contracts.dim_strings import parse
from jaxtyping_core.contracts.reading import Reader
from jaxtyping_core.contracts.shape_types import axes_of_shape
from jaxtyping_core.contracts.values import spelled
from jaxtyping_core.contracts.verdicts import Violated
from jaxtyping_core.typing import Array, Float32, float32
from jaxtyping_core.verifying.generate_arguments import evaluated
from jaxtyping_core.verifying.sizes import confirming, distinct, drawn, growing, special, symbolic

B = TypeVar("B", bound=int)
D = TypeVar("D", bound=Literal[3])
Bs = TypeVarTuple("Bs")

VECTOR: Any = jaxtyping.Float[jaxtyping.Array, "n"]

WORDS = st.sampled_from(
    ["n", "m", "3", "rows=2", "_", "#n", "#2", "n+m", "2*n", "n//2", "*b", "*#b", "...", "?k"]
)
TEXTS = st.lists(WORDS, max_size=3).map(" ".join)
SHAPES = st.lists(st.integers(1, 3), max_size=4).map(tuple)


@given(st.lists(st.tuples(TEXTS, SHAPES), min_size=1, max_size=3))
def test_shapes_fit_as_jaxtyping_has_it(arrays: list[tuple[str, tuple[int, ...]]]) -> None:
    """Arrays are checked one after the other, with names in common, up to the first that does not fit."""
    environment = Environment()
    with jaxtyping.jaxtyped("context"):
        for text, shape in arrays:
            try:
                annotation = jaxtyping.Float32[jaxtyping.Array, text]
            except ValueError:  # two words that stand for several axes
                return
            try:
                expected = isinstance(jnp.zeros(shape, jnp.float32), annotation)
            except Exception:  # a name in an expression that stands for nothing yet, or a `?` outside a tree
                return
            assert environment.accepts(parse(text), shape) == expected, (text, shape)
            if not expected:
                return


@pytest.mark.parametrize(
    ("annotation", "shape", "fits"),
    [
        (Float32[B, B], (2, 2), True),
        (Float32[B, B], (2, 3), False),
        (Float32[B, D], (2, 3), True),
        (Float32[B, D], (2, 4), False),
        (Float32[*Bs, B], (1, 2, 3), True),
        (Float32[*Bs, B], (), False),
        (Float32[B, *tuple[Any, ...]], (1,), True),
        (Array[float32, tuple[Literal[1, 2], Any]], (2, 9), True),
        (Array[float32, tuple[Literal[1, 2], Any]], (3, 9), False),
        (Float32[()], (), True),
    ],
)
def test_our_own_annotations(annotation: Any, shape: tuple[int, ...], fits: bool) -> None:
    assert Environment().accepts(axes_of_shape(annotation.__args__[1], {}), shape) == fits
    assert isinstance(jnp.zeros(shape, jnp.float32), annotation) == fits


def test_other_sizes_for_a_type_variable() -> None:
    axes = axes_of_shape(Float32[B, D].__args__[1], {B: Literal[7]})
    assert [axis.text for axis in axes] == ["7", "D"]
    assert not Environment().accepts(axes, (6, 3))


def test_sizes_less_than_none_are_excluded() -> None:
    environment = Environment(sizes={"n": 1})
    with pytest.raises(Excluded, match="n-2 is less than 0"):
        environment.accepts(parse("n-2"), (0,))


def test_what_stands_in_braces_is_an_argument() -> None:
    environment = Environment(sizes={"n": 4}, arguments={"k": 3, "sizes": (5, 6)}, evaluate=evaluated)
    assert environment.accepts(parse("n-{k}+1 {sizes[1]}"), (2, 6))
    assert not environment.accepts(parse("{k}"), (4,))
    assert environment.accepts(parse("{unknown}"), (4,)) is None
    assert environment.expected(parse("n-{k}+1 m")) == "[2, m]"


def test_a_failed_fit_leaves_no_names() -> None:
    environment = Environment()
    form = Reader().read(jaxtyping.Float[jaxtyping.Array, "n n"])
    assert isinstance(check(form, jnp.zeros((2, 3)), environment), Violated)
    assert environment.sizes == {}


def test_where_and_what_is_different() -> None:
    form = Reader().read(dict[str, tuple[VECTOR, int | None]])
    mismatch = check(form, {"a": (jnp.zeros(2), None), "b": (jnp.zeros(3), 1)}, Environment())
    assert isinstance(mismatch, Violated)
    assert (mismatch.path, mismatch.actual, mismatch.expected, mismatch.here) == (
        "['b'][0]",
        "float32[3]",
        'Float[Array, "n"]',
        "[2]",
    )


def test_values_as_messages_have_them() -> None:
    assert (
        spelled({"w": jnp.zeros((2, 3)), "n": (1, None, True)})
        == "{'w': float32[2, 3], 'n': (1, None, True)}"
    )


@given(st.integers(1, 15))
def test_draws(count: int) -> None:
    assert all(len(draw) == count for draw in [*distinct(count), *special(count), *confirming(count)])
    assert all(len(set(draw)) == count and 1 not in draw for draw in distinct(count))
    assert (1,) * count in special(count)
    assert (1,) * count in confirming(count)
    assert any(draw == tuple(sorted(draw, reverse=True)) for draw in distinct(count))


@given(st.integers(1, 3))
def test_growing_sizes_are_all_and_the_smallest_first(count: int) -> None:
    draws = list(growing(count, most=200))
    sums = [sum(draw) for draw in draws]
    assert sums == sorted(sums)
    below = {draw for draw in itertools.product(range(1, 20), repeat=count) if sum(draw) < sums[-1]}
    assert below <= set(draws)
    assert len(set(draws)) == len(draws)


def test_supplies_give_a_name_one_size() -> None:
    supply = drawn((2, 3))
    assert [supply.of("n"), supply.of("m"), supply.of("n"), supply.fresh()] == [2, 3, 2, 5]
    supply.restart()
    assert supply.fresh() == 5
    assert drawn((9,)).of("n", frozenset({4})) == 4


def test_symbols_have_the_names_of_dims() -> None:
    supply = symbolic()
    assert str(supply.of("n") + supply.of("n")) == "2*n"
    assert str(supply.of("max")) == "size_1"
