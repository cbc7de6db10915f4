"""Samples in which several unknown arrays differ in dtype or rank: what holds for equal ones may be theirs alone.

``jnp.interp(x, xp, fp)`` takes equal ranks only if all are 1, and any rank of ``x``. ``jax.random.permutation(key, x)`` takes equal
dtypes only of raw keys, and any dtype of ``x``.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple


class Each(NamedTuple):
    """What each of several arrays has, in their order."""

    parts: tuple[Any, ...]


def of_array(drawn: Any, number: int) -> Any:
    """What an array has of what was drawn for all of them, or for each."""
    return drawn.parts[number] if isinstance(drawn, Each) else drawn


def unlike(drawn: Any, others: Sequence[Any], count: int) -> Iterator[Each]:
    """Each of `others` for some of `count` arrays, where the rest of them have `drawn`."""
    for number in range(1, count):
        for changed in map(frozenset, itertools.combinations(range(count), number)):
            for other in others:
                yield Each(tuple(other if i in changed else drawn for i in range(count)))
