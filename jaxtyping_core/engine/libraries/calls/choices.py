"""What unknown arguments of a call are tried as."""

from __future__ import annotations

import functools
import itertools
import math
import random
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from ....domain.values import PYTHON_NUMBERS
from ....sampling.calls import AND_OTHERS
from ....sampling.tables.dtypes import (
    DTYPES,
    FEW_ARRAYS,
    FEW_DTYPES,
    FEW_KEYS,
    FIRST_DTYPES,
    RAW_KEYS,
    WIDE_DTYPES,
)
from ....sampling.tables.limits import MOST_NAMED, MOST_OF_MANY, MOST_SAMPLES, MOST_UNLIKE_ARRAYS
from ....sampling.tables.numbers import CONSTANT_DTYPES, CONSTANTS
from ....sampling.tables.ranks import LENGTHS, RANKS
from ....sampling.tables.sizes import LEADING_SIZE, SIZE_STEPS
from ...values import arrays
from ...values.conversions import as_array
from ...values.trees import mapped
from ...values.unknowns import (
    AbstractScalar,
    Partial,
    Unknown,
    is_anything,
    is_unknown,
)
from .dtype_sets import row_for, rows_within
from .sizes import fitting
from .unlike import Each, of_array, unlike

#: The shapes in JAX's and NumPy's messages.
SHAPE = re.compile(r"[(\[]((?:\d+, ?)*\d+,?)[)\]]")


def as_arrays(tree: Any) -> Any:
    """A tree as JAX's functions get it that trace others: numbers of Python are weak arrays in it."""

    def of_leaf(leaf: Any) -> Any:
        return (
            arrays.of_number(AbstractScalar(type(leaf))) if type(leaf) in PYTHON_NUMBERS else as_array(leaf)
        )

    return mapped(of_leaf, tree, otherwise=tree)


def changed(value: Any, change: Callable[[Any], Any]) -> Any:
    """`value` with something else for each unknown object in it."""
    if is_unknown(value):
        return change(value)
    if type(value) in (list, tuple):
        return type(value)(changed(item, change) for item in value)
    if type(value) is dict:
        return {key: changed(item, change) for key, item in value.items()}
    if isinstance(value, slice):
        return slice(*(changed(part, change) for part in (value.start, value.stop, value.step)))
    if value is None or isinstance(value, (int, float, str, type)) or arrays.is_array(value):
        return value
    try:
        return jax.tree.map(
            lambda leaf: change(leaf) if is_unknown(leaf) else leaf,
            value,
            is_leaf=lambda leaf: is_unknown(leaf),
        )
    except Exception:  # code of objects may raise anything: then no more is known
        return value


def unknown_in(value: Any) -> list[Unknown]:
    """The unknown objects in a value, in order."""
    unknowns: list[Unknown] = []

    def see(leaf: Any) -> Any:
        unknowns.append(leaf)
        return leaf

    changed(value, see)
    return unknowns


def anything_in(value: Any) -> int:
    return sum(map(is_anything, unknown_in(value)))


class Concretization(NamedTuple):
    """What a call with unknown parts is tried with.

    `size`: the sizes of arrays of unknown rank, or what stands for a part of which nothing is known.
    `largest`: for each list that was drawn from, whether the array has as many dims as any that is drawn.
    `others`: the same with the other dtypes that an unknown one may be.
    `unlike`: the same where some unknown arrays have another dtype than the rest, and where they have another rank.
    `dtypes`, `ranks`, `sizes`: what was drawn for dtypes, for ranks, and for the sizes of these.
    """

    value: Any
    size: Any = None
    largest: tuple[bool, ...] = ()
    others: Callable[[], Iterator[Any]] = lambda: iter(())
    unlike: tuple[Callable[[], Iterator[Any]], ...] = ()
    dtypes: tuple[Any, ...] = ()
    ranks: tuple[Any, ...] = ()
    sizes: tuple[Any, ...] = ()


def choices(value: Any, holes: int, refusals: Collection[str] = ()) -> Iterator[Any]:
    """Choices for partly known arrays, and for what may be anything, each with the sizes that unknown ranks have.

    At the end, arrays of the sizes that `refusals`, JAX's words about earlier choices, name: a function may have arrays of its own.
    """
    partials = _partials(value)
    of_any_rank = sum(p.dims is None for p in partials)
    has_ranks = of_any_rank > 0
    sets = [p.known.dtypes for p in partials if p.dtype_name is None]
    dtypes = rows_within(sets) if sets else ((None, False),)
    weaks = (False, True) if any(p.weak is None and p.dtype_name is not None for p in partials) else (False,)
    ranks = RANKS if has_ranks else (None,)
    known = fitting(value)
    fills = _candidates(known) if holes == 1 else _fewer()
    sizes: list[Any] = _sizes_of_axes(known, of_any_rank > 1) if has_ranks else [None]
    if has_ranks and dtypes == DTYPES and not holes:
        yield from _made(value, [RAW_KEYS[0], (False,), RANKS[:2]], [Axes(*RAW_KEYS[1])])
    yield from _made(value, [dtypes, weaks, ranks, *[fills] * holes], sizes)
    named = [size for size in _named(refusals) if size not in known]
    if named and (has_ranks or holes == 1):
        of_one: list[Any] = [Axes(size, size) for size in named] if has_ranks else [None]
        yield from _made(
            value, [dtypes[: len(FIRST_DTYPES)], weaks, ranks, *[_of_arrays(named)] * holes], of_one
        )


def _named(refusals: Collection[str]) -> list[int]:
    """The sizes of the shapes in messages."""
    shapes = [shape for message in refusals for shape in SHAPE.findall(message)]
    sizes = {int(size) for shape in shapes for size in re.findall(r"\d+", shape)}
    return sorted(sizes)[:MOST_NAMED]


def _made(value: Any, lists: Sequence[Sequence[Any]], sizes: Sequence[Any]) -> Iterator[Any]:
    """`value` with what is drawn for its unknown parts, each with the sizes of those of unknown rank, or with what fills a hole.

    Last `AND_OTHERS`, where not all are made.
    """
    dtypes, holes = lists[0], len(lists) - 3
    are_all = math.prod(map(len, lists)) <= MOST_SAMPLES
    for drawn, weak, rank, *chosen, size in _drawn(lists, sizes):
        rest, numbers, kinds = iter(chosen), itertools.count(), itertools.count()
        beside = [[dtype for dtype in dtypes if dtype != drawn], *([part] for part in (weak, rank, *chosen))]

        def change(
            leaf: Any,
            drawn: Any = drawn,
            weak: bool = weak,
            rank: Any = rank,
            size: Any = size,
            rest: Any = rest,
            numbers: Any = numbers,
            kinds: Any = kinds,
        ) -> Any:
            if isinstance(leaf, Partial):
                dims, name, is_weak = leaf.dims, leaf.dtype_name, weak
                if dims is None:
                    number = next(numbers)
                    dims = size.of(number, of_array(rank, number))
                if name is None:
                    name, is_weak = row_for(leaf.known, of_array(drawn, next(kinds)))
                return arrays.array(name, is_weak if leaf.weak is None else leaf.weak, dims)
            return next(rest).made() if is_anything(leaf) else leaf

        largest = tuple(each == max(RANKS) for each in (of_array(rank, 0), *(fill.rank for fill in chosen)))
        of_size = chosen[0].size if holes == 1 else 0 if holes else size
        others = functools.partial(_made, value, beside, [size])
        unlike = (
            functools.partial(
                _unlike_dtypes, value, drawn, [[weak], [rank], *([each] for each in chosen)], size
            ),
            functools.partial(
                _unlike_ranks, value, [[drawn], [weak]], rank, [[each] for each in chosen], size
            ),
        )
        of_dtypes = (drawn, weak, *(fill.dtype for fill in chosen))
        of_ranks = (rank, *(fill.size if fill.rank is None else fill.rank for fill in chosen))
        of_sizes = (size, *(fill.size for fill in chosen))
        yield Concretization(
            changed(value, change), of_size, largest, others, unlike, of_dtypes, of_ranks, of_sizes
        )
    if not are_all:
        yield AND_OTHERS


def _unlike_dtypes(value: Any, drawn: Any, lists: Sequence[Sequence[Any]], size: Any) -> Iterator[Any]:
    """A sample in which some of the arrays of unknown dtype have another one than the rest."""
    count = sum(leaf.dtype_name is None for leaf in _partials(value))
    others = [row for row in FEW_DTYPES if row != drawn]
    yield from _of_unlike(value, count, unlike(drawn, others, count), lambda each: [[each], *lists], size)


def _unlike_ranks(
    value: Any, dtypes: list[list[Any]], rank: Any, fills: list[list[Any]], size: Any
) -> Iterator[Any]:
    """The same of arrays of unknown rank."""
    count = sum(leaf.dims is None for leaf in _partials(value))
    others = [other for other in RANKS if other != rank]
    yield from _of_unlike(
        value, count, unlike(rank, others, count), lambda each: [*dtypes, [each], *fills], size
    )


def _of_unlike(
    value: Any, count: int, drawn: Iterator[Each], lists: Callable[[Each], Sequence[Sequence[Any]]], size: Any
) -> Iterator[Any]:
    if count > MOST_UNLIKE_ARRAYS:
        yield AND_OTHERS
        return
    for each in drawn:
        yield from _made(value, lists(each), [size])


def _partials(value: Any) -> list[Partial]:
    return [leaf for leaf in unknown_in(value) if isinstance(leaf, Partial)]


def _drawn(lists: Sequence[Sequence[Any]], sizes: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """Each one of every list, and a size: all there are, or each with one of the sizes, or some of those.

    Neighbours differ in everything, so that what is not known shows early.
    Of several unknown arguments there are millions: they are numbered, and not made. Each rank gets each of the sizes,
    with some dtype.
    """
    whole = math.prod(map(len, lists))
    random_ = random.Random(whole * len(sizes))
    if whole * len(sizes) <= MOST_SAMPLES:
        possible = list(itertools.product(*lists, sizes))
        random_.shuffle(possible)
        yield from possible
        return
    for number in random_.sample(range(whole), whole if whole <= MOST_SAMPLES else MOST_OF_MANY):
        each, places = [], 0
        for values in lists:
            number, place = divmod(number, len(values))
            each.append(values[place])
            places += place
        yield (*each, sizes[places % len(sizes)])


class Axes(NamedTuple):
    """The sizes of the axes of arrays of unknown rank: that of the first, that of all others, and what each array has more."""

    first: int
    others: int
    step: int = 0

    def of(self, number: int, rank: int) -> tuple[int, ...]:
        """The shape of an array."""
        more = number * self.step
        return (self.first + more, *[self.others + more] * rank)[:rank]


def _sizes_of_axes(sizes: Sequence[int], are_several: bool) -> list[Axes]:
    """The same size of all axes, and many rows of one each; of several arrays each also another, for its size may follow from both."""
    steps = [Axes(LEADING_SIZE, LEADING_SIZE, step) for step in SIZE_STEPS] if are_several else []
    return [*(Axes(size, size) for size in sizes), Axes(LEADING_SIZE, 1), *steps]


class Candidate(NamedTuple):
    """What an argument of which nothing is known is tried as, and the size it has, if it has one, or what else it is."""

    made: Callable[[], Any]
    size: int | str
    rank: int | None = None
    dtype: str | None = None


def _candidates(sizes: Sequence[int]) -> list[Candidate]:
    return [*_of_arrays(sizes), *_fewer()[len(FEW_ARRAYS) :]]


def _of_arrays(sizes: Sequence[int]) -> list[Candidate]:
    return [
        Candidate(
            functools.partial(arrays.array, dtype, weak, (size,) * rank),
            size if rank else "scalar",
            rank,
            dtype,
        )
        for (dtype, weak), rank, size in itertools.product(
            (*FEW_DTYPES, *(WIDE_DTYPES if _is_wide() else ())), RANKS, sizes
        )
    ]


def _is_wide() -> bool:
    """Whether 64-bit types are on."""
    return bool(getattr(jax.config, "jax_enable_x64", False))  # JAX makes `values` anew each time


def _fewer() -> list[Candidate]:
    constants = (*CONSTANTS, *map(jnp.dtype, CONSTANT_DTYPES))
    made: list[Callable[[], Any]] = [
        *(functools.partial(arrays.array, dtype, False, dims) for dtype, dims in FEW_ARRAYS),
        *((lambda value=value: value) for value in constants),
        *(functools.partial(arrays.array, dtype, False, dims) for dtype, dims in FEW_KEYS),
        arrays.unknown_size,
        *(functools.partial(_sizes, length) for length in LENGTHS if length),
    ]
    return [Candidate(each, f"number {i}") for i, each in enumerate(made)]


def _sizes(length: int) -> tuple[Any, ...]:
    return tuple(arrays.unknown_size() for _ in range(length))
