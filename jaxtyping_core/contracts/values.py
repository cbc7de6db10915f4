"""Values as they are compared with annotations, and as messages spell them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from jaxtyping_core._annotations.elements import dtype_name
from jaxtyping_core.domain.arrays import AbstractArray
from jaxtyping_core.domain.formatting import spell_array


class Planned(NamedTuple):
    """An object that will be made: its class, and what of."""

    type: str
    values: tuple[Any, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of several values."""

    members: tuple[Any, ...]


class Open:
    """A value of which nothing is known."""


OPEN = Open()


def is_array(value: Any) -> bool:
    """Whether a value has a shape and a dtype, whichever library it is of."""
    return hasattr(value, "shape") and hasattr(value, "dtype")


def abstract(value: Any) -> AbstractArray:
    """What is known of an array, a tracer, or what stands for one."""
    if isinstance(value, AbstractArray):
        return value
    dtype = value.dtype
    name = dtype_name(dtype) if hasattr(dtype, "name") else str(dtype)
    return AbstractArray.of(name, bool(getattr(value, "weak_type", False)), tuple(value.shape))


def spelled(value: Any) -> str:
    """A value as messages have it."""
    if is_array(value):
        array = abstract(value)
        return spell_array("|".join(sorted(array.dtypes or ())) or None, array.shape)
    if isinstance(value, Planned):
        unnamed = len(value.values) - len(value.names)
        texts = list(map(spelled, value.values))
        named = [f"{name}={text}" for name, text in zip(value.names, texts[unnamed:], strict=True)]
        return f"{value.type}({_listed([*texts[:unnamed], *named])})"
    if isinstance(value, tuple | list):
        names = getattr(value, "_fields", None)
        if names is not None:
            inside = [f"{name}={spelled(item)}" for name, item in zip(names, value, strict=True)]
            return f"{type(value).__name__}({_listed(inside)})"
        opened, closed = "()" if isinstance(value, tuple) else "[]"
        return f"{opened}{_listed([spelled(item) for item in value])}{closed}"
    if isinstance(value, Mapping):
        return f"{{{_listed([f'{key!r}: {spelled(item)}' for key, item in value.items()])}}}"
    if value is None or isinstance(value, bool | int | float | complex | str):
        return repr(value)
    return type(value).__name__


def _listed(parts: list[str]) -> str:
    return ", ".join(parts if len(parts) <= 6 else [*parts[:5], "..."])
