"""An annotation as it is written in source code: names, brackets and bars, without modules and marks."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterable
from typing import Any


def is_unpacked(item: Any) -> bool:
    """Whether `item` is `*Bs` or `*tuple[...]` (PEP 646)."""
    return typing.get_origin(item) is typing.Unpack or getattr(item, "__unpacked__", False) is True


def tuple_type(items: Iterable[Any]) -> Any:
    """The tuple type `tuple[*items]`, made at run time."""
    return types.GenericAlias(tuple, tuple(items))


def unpacked(item: Any) -> Any:
    """What stands behind the star of `item`: `Bs` or `tuple[...]`."""
    if typing.get_origin(item) is typing.Unpack:
        return typing.get_args(item)[0]
    return tuple_type(typing.get_args(item))


def is_union(item: Any) -> bool:
    """Whether `item` is `X | Y` or `Union[X, Y]`."""
    return typing.get_origin(item) in (types.UnionType, typing.Union)


def source(item: Any) -> str:
    """The annotation `item` as source code: ``Array[float32, tuple[B, Literal[3]]]``."""
    origin, args = typing.get_origin(item), typing.get_args(item)
    if item is ...:
        return "..."
    if is_unpacked(item):
        return f"*{source(unpacked(item))}"
    if is_union(item):
        return " | ".join(map(source, args))
    if origin is typing.Literal:
        return f"Literal[{', '.join(map(repr, args))}]"
    if origin is tuple:
        return f"tuple[{', '.join(map(source, args)) or '()'}]"
    name = None if origin else getattr(item, "__name__", None)
    return repr(item) if name is None else str(name)
