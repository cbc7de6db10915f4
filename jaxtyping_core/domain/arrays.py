"""The abstract array: which dtypes an array may have, whether it is weakly typed, and its shape.

An abstract array describes a set of arrays. `leq` is the order "describes no more", `join` the least upper bound, `meet` the
greatest lower bound, and `BOTTOM` describes nothing. Only finitely many steps lead upwards from any value, so a fixpoint that
takes joins ends; `widen` takes fewer of these steps.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from . import dims, dtypes
from .dims import Shape
from .dtypes import DtypeSet


@dataclass(frozen=True, slots=True)
class AbstractArray:
    """What is known of an array. None stands for what is unknown: any dtype, weak or not, any rank.

    `weak` is JAX's own bit, which a comparison of weak arrays sets for a bool as well.
    """

    dtypes: DtypeSet = None
    weak: bool | None = None
    shape: Shape = None

    @classmethod
    def of(cls, dtype: str | None, weak: bool | None, shape: Shape, *rest: Any) -> Self:
        """An array of one dtype, or of any."""
        return cls(_only(dtype), weak, shape, *rest)

    def with_dtype(self, dtype: str | None, weak: bool | None) -> Self:
        """This with another dtype, or any."""
        return replace(self, dtypes=_only(dtype), weak=weak)

    @property
    def dtype(self) -> str | None:
        """The dtype, if only one is possible."""
        if self.dtypes is None or len(self.dtypes) != 1:
            return None
        (dtype,) = self.dtypes
        return dtype

    @property
    def is_bottom(self) -> bool:
        """Whether this describes no array."""
        return self.dtypes == dtypes.NONE


def _only(dtype: str | None) -> DtypeSet:
    return None if dtype is None else frozenset((dtype,))


#: Describes every array.
TOP = AbstractArray()
#: Describes none.
BOTTOM = AbstractArray(dtypes.NONE)


def equal(a: AbstractArray, b: AbstractArray) -> bool:
    """Whether two describe the same arrays; dims may be written in different ways."""
    return a.dtypes == b.dtypes and (
        a.is_bottom or (a.weak is b.weak and dims.equal_shapes(a.shape, b.shape))
    )


def leq(a: AbstractArray, b: AbstractArray) -> bool:
    """Whether `b` describes every array that `a` describes."""
    return a.is_bottom or (
        dtypes.leq(a.dtypes, b.dtypes) and b.weak in (None, a.weak) and dims.shape_leq(a.shape, b.shape)
    )


def join(a: AbstractArray, b: AbstractArray) -> AbstractArray:
    """The most precise description of what `a` or `b` describes."""
    if a is b or b.is_bottom:
        return a
    if a.is_bottom:
        return b
    weak = a.weak if a.weak is b.weak else None
    return AbstractArray(dtypes.join(a.dtypes, b.dtypes), weak, dims.join_shapes(a.shape, b.shape))


def join_all(arrays: Iterable[AbstractArray]) -> AbstractArray:
    """The most precise description of what any of these describes; `BOTTOM` for none."""
    return functools.reduce(join, arrays, BOTTOM)


def meet(a: AbstractArray, b: AbstractArray) -> AbstractArray:
    """The least precise description of what both describe; `BOTTOM` if no array fits both."""
    both = dtypes.meet(a.dtypes, b.dtypes)
    if both == dtypes.NONE or (a.weak is not b.weak and None not in (a.weak, b.weak)):
        return BOTTOM
    try:
        shape = dims.meet_shapes(a.shape, b.shape)
    except dims.Contradiction:
        return BOTTOM
    return AbstractArray(both, b.weak if a.weak is None else a.weak, shape)


def refine(known: AbstractArray, other: AbstractArray) -> AbstractArray:
    """What is known, and what `other` says where nothing is known."""
    both = dtypes.meet(known.dtypes, other.dtypes)
    if both == dtypes.NONE:
        both, weak = known.dtypes, known.weak
    else:
        weak = other.weak if known.weak is None else known.weak
    return AbstractArray(both, weak, dims.refine_shapes(known.shape, other.shape))


def supported(other: AbstractArray, seen: Iterable[AbstractArray]) -> AbstractArray:
    """`other` without what one of the arrays that were seen contradicts, whatever they have in common."""
    seen = tuple(seen)
    if any(dtypes.meet(other.dtypes, each.dtypes) == dtypes.NONE for each in seen):
        other = replace(other, dtypes=None, weak=None)
    elif any(other.weak is not each.weak and None not in (other.weak, each.weak) for each in seen):
        other = replace(other, weak=None)
    if any(dims.reconcile_shapes(other.shape, each.shape) is None for each in seen if each.shape is not None):
        return replace(other, shape=None)
    for each in seen:
        other = replace(other, shape=dims.without_clashes(other.shape, each.shape))
    return other


def confirmed(known: AbstractArray, actual: AbstractArray, sizes: Mapping[str, int]) -> AbstractArray:
    """`known` without what an array contradicts that was seen where names of sizes stood for these numbers."""
    if known.shape is None:
        return supported(known, [actual])
    kept = supported(replace(known, shape=tuple(dims.at_sizes(dim, sizes) for dim in known.shape)), [actual])
    if kept.shape is None:
        return kept
    pairs = zip(known.shape, kept.shape, strict=True)
    return replace(kept, shape=tuple(None if number is None else dim for dim, number in pairs))


def widen(old: AbstractArray, new: AbstractArray) -> AbstractArray:
    """An upper bound of both, for the next round of a fixpoint: a set of dtypes that grows again becomes a class."""
    joined = join(old, new)
    if joined == old or old.is_bottom or new.is_bottom:
        return joined
    return AbstractArray(dtypes.widen(old.dtypes, new.dtypes), joined.weak, joined.shape)


def reconcile(a: AbstractArray, b: AbstractArray) -> AbstractArray:
    """What two sources together know of one array. Where they contradict each other, neither is believed.

    Unlike `meet`, this takes into account that the sources may name sizes in different ways.
    """
    both = dtypes.meet(a.dtypes, b.dtypes)
    shape = dims.reconcile_shapes(a.shape, b.shape)
    if both == dtypes.NONE:
        return AbstractArray(None, None, shape)
    if a.weak is None or b.weak is None:
        return AbstractArray(both, b.weak if a.weak is None else a.weak, shape)
    return AbstractArray(both, a.weak if a.weak is b.weak else None, shape)
