"""What Python takes for true."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..values.dispatch import Array, ByKind, Dim
from ..values.records import Record, fields_of
from ..values.unknowns import AbstractSequence, Unknown


def truth(value: Any) -> bool | None:
    """Whether a value is true; None where that is not known."""
    return _TRUTHS.find(value)(value)


def _of_object(value: Any) -> bool | None:
    try:
        outcome = bool(value)
    except Exception:  # code of objects may raise anything: then no more is known
        return None
    return outcome


_TRUTHS: ByKind[Callable[[Any], bool | None]] = ByKind(_of_object)


@_TRUTHS.of(Unknown, Array, Dim)
def _of_unknown(value: Any) -> bool | None:
    return None


@_TRUTHS.of(Record)
def _of_record(value: Record) -> bool | None:
    return bool(fields_of(value))


@_TRUTHS.of(AbstractSequence)
def _of_many(value: AbstractSequence) -> bool | None:
    return True if value.some else None
