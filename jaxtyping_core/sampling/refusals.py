"""Refusals of calls of which a part is wholly unknown: JAX says the same of the ranks of the others, whatever that part is."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ..domain.values import Anything, Array, Items, Static, Value, inside
from ..evaluation.protocol import Answer
from .attempts import Evaluation, attempt
from .concretize import SCALARS, Draws
from .errors import Inconclusive, Refused, words_about_ranks
from .proof import Rejected, rejected
from .symbols import arrays_in, name_unknowns
from .tables.dtypes import REFUSED_DTYPES
from .tables.limits import FEW_REFUSED_RANKS, MOST_REFUSED_DIMS, MOST_REFUSED_SAMPLES
from .tables.sizes import RANK_SIZE

#: What may stand for an unknown part for a refusal to be certain: of other kinds too little is tried.
OF_ARRAYS = frozenset({"array", "int", "float", "bool", "complex"})
#: What JAX says of keys where it takes arrays of numbers alone, before it looks at ranks.
OF_KEYS = re.compile(r"Cannot interpret 'key<\w+>' as a data type")


def whatever_is_drawn(draws: Draws, answer: Callable[[Value], Answer]) -> Answer | None:
    """The refusal that is the same for every draw; None if there is none.

    Args:
        draws: what is drawn.
        answer: what JAX says of a draw whatever the unknown sizes and scalars of the other parts are.
    """
    lists = [_tried(place, _most_dims(draws.call)) for place in draws.places]
    if not all(lists) or math.prod(map(len, lists)) > MOST_REFUSED_SAMPLES:
        return None
    drawn = [draws.made(chosen) for chosen in itertools.product(*lists)]
    refusal = answer(drawn[0])
    first = words_about_ranks(refusal.error or "")
    same = rejected(itertools.chain([first], (_words(call, first) for call in drawn[1:])))
    return refusal if isinstance(same, Rejected) else None


def _words(call: Value, of_keys: str | None) -> str | None:
    """In what words about ranks JAX refuses a call; `of_keys`, if it takes no keys there."""
    try:
        attempt(Evaluation(name_unknowns(call)))
    except Refused as refusal:
        return of_keys if OF_KEYS.match(str(refusal)) else words_about_ranks(str(refusal))
    except Inconclusive:
        pass
    return None


def _tried(place: Value, most_dims: int) -> Sequence[Value]:
    """What is tried for a part of a call; nothing if it may be something else."""
    if most_dims > MOST_REFUSED_DIMS:
        return ()
    if isinstance(place, Array):
        return list(_arrays(place, most_dims))
    if isinstance(place, Anything) and OF_ARRAYS.issuperset(place.kinds):
        return [*SCALARS, *_arrays(Array.of(None, False, None), most_dims)]
    return ()


def _arrays(place: Array, most_dims: int) -> Iterator[Array]:
    for number, dtype in enumerate(REFUSED_DTYPES if place.dtype is None else (place.dtype,)):
        known = place.with_dtype(dtype, place.weak)
        ranks = range(FEW_REFUSED_RANKS if number else most_dims + 1)
        yield from (
            [known] if place.shape is not None else (replace(known, shape=(RANK_SIZE,) * n) for n in ranks)
        )


def _most_dims(call: Value) -> int:
    """More dims than a call may ask an array for, as far as it tells: by its other arrays, its numbers, tuples and texts."""
    sizes = [0]
    for part in inside(call):
        if isinstance(part, Items):
            sizes.append(len(part.items))
        elif isinstance(part, Static) and isinstance(part.value, str):
            sizes.append(len(part.value))
        elif isinstance(part, Static) and type(part.value) is int:
            sizes.append(abs(part.value))
    return max(sizes) + sum(len(array.shape or ()) for array in arrays_in(call)) + 1
