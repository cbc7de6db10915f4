"""Which dtypes of a result are others where annotations leave the dtypes of arguments open, or a dtype is passed.

A run shows one dtype of each. So the body is walked through with the others, and what a result follows in gets the class of all.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace

from jaxtyping_core import dtypes
from jaxtyping_core.annotating.declared import Declared, others_of
from jaxtyping_core.annotating.observed_types import (
    RETURN,
    Agreement,
    Arrays,
    DType,
    Kind,
    Optional,
    Place,
    Record,
    Sequence_,
    Table,
    Tuple,
    inside,
    steps,
)
from jaxtyping_core.annotating.source import Definition
from jaxtyping_core.annotating.walking import Walks
from jaxtyping_core.domain.dtypes import join as join_dtypes
from jaxtyping_core.recording import observed
from jaxtyping_core.recording.observed import Call, Observed
from jaxtyping_core.sampling.tables.dtypes import PASSED_DTYPES


@dataclass(frozen=True, slots=True)
class Other:
    """A call as it was seen but for dtypes; `like` has what a result of each dtype may be then, where a walk does not tell."""

    call: Call
    passed: str
    like: Mapping[str, str]


def with_dependent(
    kind: Kind, definition: Definition, agreement: Agreement, declared: Declared, walks: Walks
) -> Kind:
    """What is said of a result, with the dtypes that it has where what is declared open has another one."""
    if not agreement.calls or not any(isinstance(part, Arrays) for part in inside(kind)):
        return kind
    call = agreement.calls[0]
    seen: dict[Place, set[str]] = {}
    results = dict(_dtypes(call.returned, (RETURN,))) if call.returned is not None else {}
    for other in _others(call, agreement, declared):
        response = walks.dtypes(definition, other.call, other.passed)
        if isinstance(response, str):  # the function is not meant for it
            continue
        for place, dtype in results.items():
            new = (response or {}).get(place) or other.like.get(dtype)
            if new is not None:
                seen.setdefault(place, set()).add(new)
    return _widened(kind, (RETURN,), seen)


def _others(call: Call, agreement: Agreement, declared: Declared) -> Iterator[Other]:
    """The call with other dtypes: in turns of all arrays of which the same was declared and seen, and what is passed."""
    seen = dict(leaf for name, value in call.arguments for leaf in _dtypes(value, (name,)))
    for abstract, dtype in dict.fromkeys(
        (abstract, seen[place]) for place, abstract in declared.abstract.items()
    ):
        same = {p for p, each in declared.abstract.items() if (each, seen[p]) == (abstract, dtype)}
        for new in others_of(abstract, dtype):
            changed = [(name, _with_dtype(value, (name,), same, new)) for name, value in call.arguments]
            # What is passed may be the same: float16 arrays and a dtype of float16 give such, where neither alone does.
            yield Other(replace(call, arguments=tuple(changed)), new, {dtype: new})
    kinds = [kind for name, kind in agreement.kinds.items() if name != RETURN]
    if any(isinstance(part, DType) for kind in kinds for part in inside(kind)):
        for passed in PASSED_DTYPES:
            yield Other(call, passed, dict.fromkeys(dtypes.DTYPES, passed))


def _dtypes(value: Observed, place: Place) -> Iterator[tuple[Place, str]]:
    """The dtypes of the arrays in what was seen at a place."""
    if isinstance(value, observed.Array):
        yield place, value.dtype
    for key, item in steps(value):
        yield from _dtypes(item, (*place, key))


def _with_dtype(value: Observed, place: Place, places: Container[Place], dtype: str) -> Observed:
    """What was seen at a place, with another dtype of the arrays at some places."""
    if isinstance(value, observed.Array):
        return replace(value, dtype=dtype) if place in places else value
    parts = tuple(_with_dtype(item, (*place, key), places, dtype) for key, item in steps(value))
    match value:
        case observed.Items() | observed.Dict():
            return replace(value, items=parts)
        case observed.Object():
            return replace(value, fields=parts)
    return value


def _widened(kind: Kind, place: Place, seen: Mapping[Place, set[str]]) -> Kind:
    """A description of what is at a place, with more dtypes of the arrays in it."""
    match kind:
        case Arrays(known=known):
            here = (names for at, names in seen.items() if at[: len(place)] == place)
            joined = join_dtypes(known.dtypes, frozenset().union(*here))
            return replace(kind, known=replace(known, dtypes=joined))
        case Optional(item):
            return Optional(_widened(item, place, seen))
        case Tuple(items):
            return Tuple(tuple(_widened(item, (*place, at), seen) for at, item in enumerate(items)))
        case Record(keys, items):
            return Record(
                keys, tuple(_widened(i, (*place, k), seen) for k, i in zip(keys, items, strict=True))
            )
        case Sequence_(_, item) | Table(_, item):
            return replace(kind, item=_widened(item, place, seen))
    return kind
