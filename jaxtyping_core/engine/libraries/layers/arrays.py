"""The arrays that unknown arguments of a layer are tried as."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ....sampling.tables.dtypes import DTYPES, FIRST_DTYPES
from ....sampling.tables.numbers import LAYER_CONSTANTS
from ....sampling.tables.ranks import FEW_LAYER_RANKS, LAYER_RANKS, MOST_LAYER_RANK, other_ranks
from ....sampling.tables.sizes import WINDOW_SIZE, neighbours
from ...values import arrays
from ...values.unknowns import Partial, is_anything
from ..calls.dtype_sets import row_for


class Tried(NamedTuple):
    """An array that is tried for something unknown."""

    dtype: str
    weak: bool
    dims: tuple[int, ...]

    def made(self) -> Any:
        return arrays.array(*self)

    def fitting(self, leaf: Any) -> Tried | None:
        """This array with what is known of `leaf`; None if its rank is another."""
        if not isinstance(leaf, Partial):
            return self
        dims = self.dims
        if leaf.dims is not None:
            if len(leaf.dims) != len(dims):
                return None
            dims = tuple(
                known if type(known) is int else dim for known, dim in zip(leaf.dims, dims, strict=True)
            )
        dtype, weak = leaf.dtype_name, self.weak
        if dtype is None:
            dtype, weak = row_for(leaf.known, (self.dtype, self.weak))
        return Tried(dtype, weak if leaf.weak is None else leaf.weak, dims)


class Other(NamedTuple):
    """What is no array, and is tried for something unknown."""

    kind: str
    value: Any

    def made(self) -> Any:
        return self.value


Chosen = tuple[Tried | Other, ...]


def combinations(leaves: list[Any], sizes: list[int]) -> Iterator[Chosen]:
    """What is tried in any case for one thing or two that are unknown."""
    if len(leaves) == 1:
        shapes = _shapes(sizes)
        yield from _fitting(leaves, ((Tried(*dtype, dims),) for dims in shapes for dtype in FIRST_DTYPES))
        if is_anything(leaves[0]):
            yield from ((Other(type(value).__name__, value),) for value in LAYER_CONSTANTS)
        return
    few = [Tried(*dtype, dims) for dims in _few_shapes(sizes) for dtype in FIRST_DTYPES]
    yield from _fitting(leaves, itertools.product(few, repeat=len(leaves)))


def _fitting(leaves: list[Any], combinations: Iterable[Sequence[Tried]]) -> Iterator[Chosen]:
    for combination in combinations:
        fitted = [tried.fitting(leaf) for tried, leaf in zip(combination, leaves, strict=True)]
        if None not in fitted:
            yield tuple(value for value in fitted if value is not None)


def _shapes(sizes: list[int]) -> list[tuple[int, ...]]:
    """Shapes of all ranks: with each size in all dims, in the last and in the first."""
    shapes = dict.fromkeys(
        dims
        for rank in LAYER_RANKS
        for size in reversed(sizes)
        for dims in (
            (size,) * rank,
            (*(WINDOW_SIZE,) * (rank - 1), size)[:rank],
            (size, *(WINDOW_SIZE,) * (rank - 1))[:rank],
        )
    )
    return list(shapes)


def _few_shapes(sizes: list[int]) -> list[tuple[int, ...]]:
    return [(size,) * rank for rank in FEW_LAYER_RANKS for size in (sizes[-2:] if rank else sizes[:1])]


def neighbouring_samples(chosen: Chosen, leaves: list[Any]) -> Iterator[Chosen]:
    """Like what is accepted: with another dtype, another size or another rank of one array."""
    for i, tried in enumerate(chosen):
        if isinstance(tried, Tried):
            dims = tried.dims
            others = [
                *(Tried(dtype, weak, dims) for dtype, weak in DTYPES),
                *(tried._replace(dims=other) for other in other_ranks(dims) if len(other) <= MOST_LAYER_RANK),
                *(
                    tried._replace(dims=(*dims[:j], size, *dims[j + 1 :]))
                    for j, dim in enumerate(dims)
                    for size in neighbours(dim)
                ),
            ]
            for other in others:
                fitted = other.fitting(leaves[i])
                if fitted is not None:
                    yield (*chosen[:i], fitted, *chosen[i + 1 :])
