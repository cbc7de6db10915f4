"""Whether what is claimed of a place holds for all that was seen there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import NamedTuple

from .claims import OPEN, Claim
from .programs import Array, Fact, Facts, Key


class Answer(Enum):
    """What one part of a claim is worth."""

    KNOWN = "known"
    OPEN = "open"
    WRONG = "wrong"


class Verdict(NamedTuple):
    """A place that always held arrays, what was claimed of it, and what each part of that is worth."""

    key: Key
    fact: Fact
    claim: Claim
    dtype: Answer
    rank: Answer
    shape: Answer
    mistakes: tuple[str, ...]


class Judgement(NamedTuple):
    """The verdicts on a program, and what was claimed to be an array where something else was seen."""

    verdicts: tuple[Verdict, ...]
    no_arrays: tuple[tuple[Key, Fact, Claim], ...]


def judged(facts: Facts, claims: Mapping[Key, Claim]) -> Judgement:
    """What the claims about a program are worth."""
    places = sorted(facts.places.items())
    verdicts = [_verdict(key, fact, claims.get(key, OPEN)) for key, fact in places if not fact.others]
    others = [
        (key, fact, claims[key]) for key, fact in places if fact.others and claims.get(key, OPEN) != OPEN
    ]
    return Judgement(tuple(verdicts), tuple(others))


def _verdict(key: Key, fact: Fact, claim: Claim) -> Verdict:
    dtype_mistakes, rank_mistakes, size_mistakes = (
        tuple(dict.fromkeys(mistakes(claim, fact.arrays)))
        for mistakes in (_dtype_mistakes, _rank_mistakes, _size_mistakes)
    )
    return Verdict(
        *(key, fact, claim),
        dtype=_answer(dtype_mistakes, claim.dtype is not None),
        rank=_answer(rank_mistakes, claim.shape is not None),
        shape=_answer((*rank_mistakes, *size_mistakes), _all_sizes(claim, fact.arrays)),
        mistakes=(*dtype_mistakes, *rank_mistakes, *size_mistakes),
    )


def _answer(mistakes: Iterable[str], is_known: bool) -> Answer:
    return Answer.WRONG if tuple(mistakes) else Answer.KNOWN if is_known else Answer.OPEN


def _dtype_mistakes(claim: Claim, arrays: Iterable[Array]) -> Iterator[str]:
    for array in arrays:
        if claim.dtype not in (None, array.dtype):
            yield f"dtype: {array.dtype}"
        elif claim.weak not in (None, array.weak) and _has_weakness(array.dtype):
            yield f"weakness: {'weak' if array.weak else 'not weak'}"


def _has_weakness(dtype: str) -> bool:
    """Whether promotion tells weak arrays of a dtype from others."""
    return dtype.startswith(("int", "uint", "float", "bfloat", "complex"))


def _rank_mistakes(claim: Claim, arrays: Iterable[Array]) -> Iterator[str]:
    for array in arrays:
        if claim.shape is not None and len(claim.shape) != len(array.shape):
            yield f"rank: {len(array.shape)}"


def _size_mistakes(claim: Claim, arrays: Iterable[Array]) -> Iterator[str]:
    for array in arrays:
        named: dict[str, int | str] = {}
        if len(claim.shape or ()) != len(array.shape):
            continue
        for axis, (dim, size) in enumerate(zip(claim.shape or (), array.shape, strict=True)):
            if isinstance(dim, int) and dim != size:
                yield f"size of axis {axis}: {size}"
            elif isinstance(dim, str) and named.setdefault(dim, size) != size:
                yield f"{dim} in one array: {named[dim]} and {size}"


def _all_sizes(claim: Claim, arrays: tuple[Array, ...]) -> bool:
    """Whether each size is claimed that never changed."""
    if claim.shape is None or any(len(array.shape) != len(claim.shape) for array in arrays):
        return False
    columns = zip(*(array.shape for array in arrays), strict=True)
    return all(
        isinstance(dim, int) or len(set(sizes)) > 1 for dim, sizes in zip(claim.shape, columns, strict=True)
    )
