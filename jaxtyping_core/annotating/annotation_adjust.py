"""What an annotation says of a kind, where that is not quite what was seen."""

from __future__ import annotations

import ast
from dataclasses import replace

from jaxtyping_core.annotating.observed_types import (
    Arrays,
    Instance,
    Kind,
    Open,
    Optional,
    Plain,
    Record,
    Sequence_,
    Table,
    Tuple,
)
from jaxtyping_core.domain import dtypes


def converted(kind: Kind) -> Kind:
    """The same, with arrays of NumPy in the place of each array: also of those in a tuple or a list, which gets to be a ``Sequence``."""
    match kind:
        case Arrays():
            return replace(kind, library="both")
        case Tuple(items):
            return Tuple(tuple(map(converted, items)))
        case Sequence_(name, item):
            return Sequence_(name, converted(item))
        case Optional(inner):
            return Optional(converted(inner))
    return kind


def of_any_width(kind: Arrays) -> Kind:
    """Arrays of the class of their dtypes and of floats: the body gives the parameter another one, which its annotation must allow."""
    joined = dtypes.join(kind.known.dtypes, dtypes.of_class("floating"))
    return replace(kind, known=replace(kind.known, dtypes=joined))


def starred(kind: Kind) -> Kind:
    """What each of the items of ``*args`` or ``**kwargs`` is."""
    match kind:
        case Tuple(items) | Record(_, items):
            different = set(map(_anywhere, items))
            return different.pop() if len(different) == 1 else Open()
        case Sequence_(_, item) | Table(_, item):
            return item
    return Open()


def _anywhere(kind: Kind) -> Kind:
    """The same without sizes: several of it are not of one size."""
    return (
        replace(kind, place=None, known=replace(kind.known, shape=None)) if isinstance(kind, Arrays) else kind
    )


def with_default(kind: Kind, default: ast.expr) -> Kind:
    """What a parameter takes whose default is no call's business."""
    if not isinstance(default, ast.Constant):
        return kind
    value = default.value
    if value is None:
        if isinstance(kind, (Open, Optional)):
            return kind
        return Open() if kind == Plain("None") else Optional(kind)
    name = type(value).__name__
    match kind:
        case Plain(seen):
            if seen == name or (name, seen) in {("float", "int"), ("int", "bool"), ("complex", "float")}:
                return Plain(name)
            return (
                kind if (seen, name) in {("float", "int"), ("complex", "float"), ("int", "bool")} else Open()
            )
        case Arrays(scalars=scalars) if name in ("int", "float", "bool", "complex"):
            return replace(kind, scalars=tuple(sorted({*scalars, name})))
        case Instance() | Optional():
            return Open()
    return kind
