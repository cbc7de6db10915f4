"""An annotation as it is written in source code: names, brackets and bars, without modules and marks."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterable
from typing import Any

import typing_extensions


def is_unpacked(item: Any) -> bool:
    """Whether `item` is `*Bs` or `*tuple[...]` (PEP 646)."""
    return typing.get_origin(item) is typing.Unpack or getattr(item, "__unpacked__", False) is True


def standard(item: Any) -> Any:
    """`item`; where it is `Unpack[X]`, what `*X` gives, so that both make one annotation.

    On Python 3.11 the `Unpack` of typing_extensions is not that of typing.
    """
    if typing.get_origin(item) not in (typing.Unpack, typing_extensions.Unpack):
        return item
    (inner,) = typing.get_args(item)
    return next(iter(inner)) if typing.get_origin(inner) is tuple else typing.Unpack[inner]


def tuple_type(items: Iterable[Any]) -> Any:
    """The tuple type `tuple[*items]`, made at run time."""
    return types.GenericAlias(tuple, tuple(map(standard, items)))


def unpacked(item: Any) -> Any:
    """What stands behind the star of `item`: `Bs` or `tuple[...]`."""
    if typing.get_origin(item) is typing.Unpack:
        return typing.get_args(item)[0]
    return tuple_type(typing.get_args(item))


def is_union(item: Any) -> bool:
    """Whether `item` is `X | Y` or `Union[X, Y]`."""
    return typing.get_origin(item) in (types.UnionType, typing.Union)


def bounds(variable: typing.TypeVar) -> tuple[Any, ...]:
    """What the type variable stands for: its constraints, or else its bound, or else `Any`."""
    try:
        declared = variable.__constraints__ or (variable.__bound__,)
    except NameError:  # PEP 695 evaluates a bound on demand; the name may come later
        return (Any,)
    return tuple(Any if isinstance(b, typing.ForwardRef | types.NoneType) else b for b in declared)


def source(item: Any) -> str:
    """The annotation `item` as source code: ``Array[float32, tuple[B, Literal[3]]]``.

    A type variable that narrows what is accepted carries its bound as in PEP 695: ``Array[D: floating]``.
    Two annotations that accept different arrays have different texts; beartype relies on that.
    """
    origin, args = typing.get_origin(item), typing.get_args(item)
    if item is ...:
        return "..."
    if is_unpacked(item):
        return f"*{source(unpacked(item))}"
    if is_union(item):
        return " | ".join(map(source, args))
    if origin is typing.Literal:
        return f"Literal[{', '.join(map(repr, args))}]"
    if isinstance(origin, type):
        return f"{origin.__name__}[{', '.join(map(source, args)) or '()'}]"
    if isinstance(item, list | tuple):
        inside = ", ".join(map(source, item))
        return f"[{inside}]" if isinstance(item, list) else f"({inside})"
    if isinstance(item, typing.TypeVar):
        return _variable(item)
    name = None if origin else getattr(item, "__name__", None)
    return repr(item) if name is None else str(name)


def _variable(item: typing.TypeVar) -> str:
    alternatives = bounds(item)
    if all(bound in (Any, int) for bound in alternatives):
        return item.__name__
    return f"{item.__name__}: {' | '.join(map(source, alternatives))}"
