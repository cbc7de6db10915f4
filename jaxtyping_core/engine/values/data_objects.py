"""Objects of the program's dataclasses, of which a program compares the fields and not the identities.

What two of them have in common is one more object of the class. It stands for the one or for the other: see `aliases`.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Generic, Protocol

from ...identity import identity
from . import heap
from .dispatch import OF_PROGRAM
from .unknowns import UNKNOWN

#: Objects within objects further down than this are unknown.
DEEPEST = 4
#: Bases that add nothing to an object.
PLAIN_BASES = (object, Generic, Protocol)
#: The file of the functions that `dataclass` makes.
OF_DATACLASS = "<string>"
#: The pairs of objects that are being joined, by their ids.
_joining: ContextVar[tuple[tuple[int, int], ...]] = ContextVar("joining", default=())


def fields_of(value: Any) -> dict[str, Any] | None:
    """The attributes of an object of a dataclass of the program; None for everything else.

    Objects that have hashes of their own are left out: where one is sought in a dict or a set, another one is not met.
    """
    cls: Any = type(value)
    if cls.__module__ != OF_PROGRAM or not dataclasses.is_dataclass(cls) or not _is_its_fields(cls):
        return None
    if any(base not in PLAIN_BASES and base.__module__ != OF_PROGRAM for base in type(value).__mro__):
        return None
    try:
        fields: dict[str, Any] = object.__getattribute__(value, "__dict__")
    except AttributeError:  # it has slots
        return None
    return fields


def _is_its_fields(cls: Any) -> bool:
    """Whether objects of a dataclass have no hash, or the one that `dataclass` makes of their fields: an unknown field has none."""
    made = cls.__hash__
    return made is None or (
        isinstance(made, types.FunctionType) and made.__code__.co_filename == OF_DATACLASS
    )


def join(first: Any, second: Any, joined: Callable[[Any, Any], Any]) -> Any:
    """An object with what the fields of two objects of one class have in common.

    Args:
        joined: what two values have in common.
    """
    held, others = fields_of(first), fields_of(second)
    pairs, pair = _joining.get(), (identity(first), identity(second))
    if held is None or others is None or held.keys() != others.keys():
        return UNKNOWN
    if pair in pairs or len(pairs) >= DEEPEST:
        return UNKNOWN
    token = _joining.set((*pairs, pair))
    try:
        fields = {name: joined(held[name], others[name]) for name in held}
    finally:
        _joining.reset(token)
    made = object.__new__(type(first))
    object.__getattribute__(made, "__dict__").update(fields)
    return heap.made(made)
