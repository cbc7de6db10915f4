"""Abstract arrays, and a concrete model of what they describe.

In the model there are few dtypes, ranks and sizes, and few values for each name. A dim describes, for each of these values, one size.
So an abstract array describes a set of concrete families: arrays whose sizes depend on the values of the names.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from hypothesis import strategies as st

from jaxtyping_core.domain.arrays import BOTTOM, AbstractArray
from jaxtyping_core.domain.dims import Dim
from jaxtyping_core.domain.dtypes import classes
from jaxtyping_core.domain.expressions import calculate
from jaxtyping_core.dtypes import DTYPES

KEY = "key<fry>"
#: Expressions: in each row those that are equal.
EQUAL = (
    ("B", "B + 0", "2*B - B", "max(B, B)"),
    ("D",),
    ("2*B", "B*2", "B + B"),
    ("B + D", "D + B"),
    ("B^2 + 2*B + 1", "(B + 1)*(B + 1)", "(1 + B)**2"),
    ("floordiv(B, 2)", "B // 2"),
    ("mod(B + D, 3)", "(D + B) % 3"),
    ("max(B, D)", "max(D, B)", "max(D, B, D)"),
)
EXPRESSIONS = tuple(text for row in EQUAL for text in row)
NUMBERS = (1, 2, 3)
#: Values of the names. No two expressions above that are not equal agree under all of them, nor one with a number.
VALUATIONS = tuple({"B": b, "D": d} for b, d in itertools.product((1, 2, 3, 5, 8), (1, 2, 4, 7)))

dims: st.SearchStrategy[Dim] = st.one_of(st.none(), st.sampled_from(NUMBERS), st.sampled_from(EXPRESSIONS))
shapes = st.one_of(st.none(), st.lists(dims, max_size=3).map(tuple))
names = st.sampled_from([*DTYPES, KEY])
dtype_sets = st.one_of(
    st.none(),
    st.sampled_from(list(classes())),
    st.frozensets(names, min_size=1, max_size=4),
    st.frozensets(st.sampled_from(["float32", "bfloat16", "int32", KEY]), min_size=1, max_size=3),
)
weak = st.sampled_from([None, True, False])
arrays = st.one_of(st.just(BOTTOM), st.builds(AbstractArray, dtype_sets, weak, shapes))

#: A size for each of the valuations.
Family = tuple[int, ...]
#: A dtype, JAX's bit, and a family for each axis.
Concrete = tuple[str, bool, tuple[Family, ...]]


def family(dim: int | str) -> Family:
    """The sizes that a known dim has."""
    return tuple(dim if isinstance(dim, int) else calculate(dim, values) for values in VALUATIONS)


#: Every family that a known dim of the model describes, and one that none does.
FAMILIES = tuple(
    dict.fromkeys([*map(family, (*NUMBERS, *EXPRESSIONS)), tuple(range(1, len(VALUATIONS) + 1))])
)
MODEL_DTYPES = ("float32", "bfloat16", "int32", KEY)


def gamma(array: AbstractArray) -> Iterator[Concrete]:
    """The concrete arrays of the model, of rank 1 at most, that an abstract one describes."""
    for dtype, bit, axes in itertools.product(
        MODEL_DTYPES, (True, False), [(), *((known,) for known in FAMILIES)]
    ):
        if describes(array, (dtype, bit, axes)):
            yield dtype, bit, axes


def describes(array: AbstractArray, concrete: Concrete) -> bool:
    """Whether an abstract array describes a concrete one."""
    dtype, bit, axes = concrete
    return (
        (array.dtypes is None or dtype in array.dtypes)
        and array.weak in (None, bit)
        and (
            array.shape is None
            or (
                len(array.shape) == len(axes)
                and all(
                    dim is None or family(dim) == axis for dim, axis in zip(array.shape, axes, strict=True)
                )
            )
        )
    )
