"""The laws of the abstract domain: its order, and the bounds in it."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.strategies import (
    EQUAL,
    EXPRESSIONS,
    NUMBERS,
    arrays,
    describes,
    dims,
    dtype_sets,
    family,
    gamma,
    shapes,
)
from jaxtyping_core.domain import codec, dtypes
from jaxtyping_core.domain import dims as sizes
from jaxtyping_core.domain.arrays import (
    BOTTOM,
    TOP,
    AbstractArray,
    confirmed,
    equal,
    join,
    join_all,
    leq,
    meet,
    reconcile,
    refine,
    widen,
)

pytestmark = pytest.mark.one_python
MANY = settings(max_examples=300, deadline=None)
#: Steps upwards from any array of rank 3 at most: its dtypes grow, then it is not known whether it is weak, then each dim, then the rank.
LONGEST_CHAIN = 1 + dtypes.MOST + 4 + 1 + 3 + 1


@MANY
@given(arrays, arrays, arrays)
def test_order(a: AbstractArray, b: AbstractArray, c: AbstractArray) -> None:
    """`leq` is a partial order up to how dims are written, from `BOTTOM` to `TOP`."""
    assert leq(a, a)
    assert leq(BOTTOM, a)
    assert leq(a, TOP)
    assert not (leq(a, b) and leq(b, c)) or leq(a, c)
    assert equal(a, b) == (leq(a, b) and leq(b, a))


@MANY
@given(arrays, arrays, arrays)
def test_join_is_the_least_upper_bound(a: AbstractArray, b: AbstractArray, c: AbstractArray) -> None:
    both = join(a, b)
    assert leq(a, both)
    assert leq(b, both)
    assert leq(both, join(both, c))
    assert not (leq(a, c) and leq(b, c)) or leq(both, c)
    assert leq(a, b) == equal(both, b)


@MANY
@given(arrays, arrays, arrays)
def test_meet_is_the_greatest_lower_bound(a: AbstractArray, b: AbstractArray, c: AbstractArray) -> None:
    both = meet(a, b)
    assert leq(both, a)
    assert leq(both, b)
    assert not (leq(c, a) and leq(c, b)) or leq(c, both)
    assert leq(a, b) == equal(both, a)


@pytest.mark.parametrize("operation", [join, meet], ids=["join", "meet"])
@MANY
@given(arrays, arrays, arrays)
def test_algebra(operation: Callable[..., Any], a: AbstractArray, b: AbstractArray, c: AbstractArray) -> None:
    """Both are commutative, associative and idempotent."""
    assert operation(a, b) == operation(b, a) or equal(operation(a, b), operation(b, a))
    assert equal(operation(operation(a, b), c), operation(a, operation(b, c)))
    assert operation(a, a) == a
    assert equal(operation(a, operation(a, b)), operation(a, b))


@MANY
@given(arrays, arrays)
def test_absorption(a: AbstractArray, b: AbstractArray) -> None:
    assert equal(join(a, meet(a, b)), a)
    assert equal(meet(a, join(a, b)), a)


@MANY
@given(st.lists(arrays, max_size=4))
def test_join_of_several(several: list[AbstractArray]) -> None:
    """The order does not count, and `BOTTOM` adds nothing."""
    joined = join_all(several)
    assert all(leq(each, joined) for each in several)
    assert equal(joined, join_all(reversed(several)))
    assert equal(joined, join_all([BOTTOM, *several, BOTTOM]))


@MANY
@given(arrays, arrays)
def test_widening_is_an_upper_bound(a: AbstractArray, b: AbstractArray) -> None:
    assert leq(join(a, b), widen(a, b))
    assert widen(a, a) == a


#: Some array: what describes none is taken for any.
some_arrays = arrays.map(lambda array: TOP if array.is_bottom else array)


@MANY
@given(some_arrays, some_arrays)
def test_what_is_confirmed_says_no_more(known: AbstractArray, actual: AbstractArray) -> None:
    """A second look takes something away or nothing, and looking again changes nothing."""
    kept = confirmed(known, actual, {"n": 3, "m": 5})
    assert leq(known, kept)
    assert confirmed(kept, actual, {"n": 3, "m": 5}) == kept
    assert confirmed(known, known, {}) == known


def test_a_formula_is_confirmed_at_the_sizes_that_its_names_stood_for() -> None:
    known = AbstractArray.of("float32", False, ("2*n", "m", 4, None))
    sizes = {"n": 3, "m": 5}
    assert confirmed(known, AbstractArray.of("float32", False, (6, 1, 4, 7)), sizes).shape == (
        "2*n",
        None,
        4,
        None,
    )
    assert confirmed(known, AbstractArray.of("float32", False, (6,)), sizes).shape is None
    assert confirmed(known, AbstractArray.of("int32", False, (6, 5, 4, 7)), sizes).dtypes is None


@pytest.mark.parametrize("operation", [join, widen], ids=["join", "widen"])
@settings(max_examples=50, deadline=None)
@given(st.lists(arrays, min_size=30, max_size=30))
def test_increasing_chains_stabilise(operation: Callable[..., Any], several: list[AbstractArray]) -> None:
    """However long the sequence, a fixpoint over it changes only a few times."""
    current, changes = BOTTOM, 0
    for each in several:
        grown = operation(current, each)
        changes += not equal(grown, current)
        current = grown
    assert changes <= LONGEST_CHAIN


def test_a_growing_set_of_dtypes_widens_to_a_class() -> None:
    floats = [AbstractArray.of(name, False, ()) for name in ("float32", "bfloat16", "float16")]
    grown = widen(widen(floats[0], floats[1]), floats[2])
    assert widen(floats[0], floats[1]).dtypes == {"float32", "bfloat16"}
    assert dtypes.class_of(grown.dtypes) == "floating"
    assert widen(grown, AbstractArray.of("int32", False, ())).dtypes == frozenset().union(
        *(members for members, name in dtypes.classes().items() if name == "number")
    )
    assert widen(grown, AbstractArray.of("bool", False, ())).dtypes is None


@settings(max_examples=60, deadline=None)
@given(arrays, arrays)
def test_concrete_model(a: AbstractArray, b: AbstractArray) -> None:
    """The order is inclusion of what is described; `join` describes the union, and `meet` exactly the intersection."""
    described, other = set(gamma(a)), set(gamma(b))
    if leq(a, b):
        assert described <= other
    assert described | other <= set(gamma(join(a, b)))
    assert described | other <= set(gamma(widen(a, b)))
    assert described & other == set(gamma(meet(a, b)))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=4), arrays)
def test_join_of_exact_descriptions(chosen: list[int], bound: AbstractArray) -> None:
    """The join of exact descriptions says no less than any description of all of them."""
    concrete = list(gamma(TOP))
    picked = [concrete[index % len(concrete)] for index in chosen]
    exact = [_exact(each) for each in picked]
    joined = join_all(exact)
    assert all(describes(joined, each) for each in picked)
    if all(leq(each, bound) for each in exact):
        assert leq(joined, bound)


def _exact(concrete: tuple[str, bool, tuple[tuple[int, ...], ...]]) -> AbstractArray:
    known = {family(dim): dim for dim in (*EXPRESSIONS, *NUMBERS)}
    dtype, weak, axes = concrete
    return AbstractArray.of(dtype, weak, tuple(known.get(axis) for axis in axes))


@MANY
@given(dims, dims)
def test_equal_dims(a: sizes.Dim, b: sizes.Dim) -> None:
    """Dims are equal if they come to the same size for all values of their names."""
    if a is not None and b is not None:
        assert sizes.equal(a, b) == (family(a) == family(b))
    else:
        assert not sizes.equal(a, b)


@pytest.mark.parametrize("row", EQUAL, ids=lambda row: row[0])
def test_one_text_is_shown_of_equal_dims(row: tuple[str, ...]) -> None:
    for a, b in itertools.product(row, row):
        assert sizes.join(a, b) == sizes.join(b, a) == sizes.meet(a, b)
        assert sizes.join(a, b) in (a, b)


@MANY
@given(shapes, shapes)
def test_shapes(a: sizes.Shape, b: sizes.Shape) -> None:
    """Of shapes of two ranks not even the rank is known; dims that differ are unknown."""
    joined = sizes.join_shapes(a, b)
    if a is None or b is None or len(a) != len(b):
        assert joined is None
    else:
        assert joined is not None
        for first, second, both in zip(a, b, joined, strict=True):
            assert (both is not None) == sizes.equal(first, second)


@MANY
@given(dtype_sets, dtype_sets)
def test_sets_of_dtypes_are_closed(a: dtypes.DtypeSet, b: dtypes.DtypeSet) -> None:
    """Joins and meets are sets that occur: a few dtypes, a class, or any dtype."""
    for made in (dtypes.join(a, b), dtypes.meet(a, b), dtypes.widen(a, b)):
        assert made is None or len(made) <= dtypes.MOST or dtypes.class_of(made) is not None


@MANY
@given(arrays)
def test_codec(array: AbstractArray) -> None:
    assert codec.decode(codec.encode(array)) == array


@MANY
@given(arrays, arrays)
def test_refined(a: AbstractArray, b: AbstractArray) -> None:
    """What is known stays so; what is not is as the other says."""
    if not a.is_bottom and not b.is_bottom:
        assert leq(refine(a, b), a)
        assert equal(refine(TOP, b), b)
        assert equal(refine(a, TOP), a)
        assert meet(a, b).is_bottom or leq(meet(a, b), refine(a, b))


@MANY
@given(arrays, arrays)
def test_reconciled_sources(a: AbstractArray, b: AbstractArray) -> None:
    """Two sources together know what each knows; where they contradict each other, nothing is known."""
    both = reconcile(a, b)
    assert equal(both, reconcile(b, a))
    assert not both.is_bottom
    if not meet(a, b).is_bottom:
        assert equal(both, meet(a, b))
