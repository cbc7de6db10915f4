"""The names that a module of its own defines: the transformations of functions."""

from __future__ import annotations

import functools
import importlib
from typing import Any

MODULE = "jax._transformations"


@functools.cache
def table() -> dict[str, str]:
    """Public names and what the module of the transformations calls them."""
    try:
        found: dict[str, str] = importlib.import_module(f"{__package__}.transformations").EXPORTS
    except (ModuleNotFoundError, AttributeError):
        return {}
    return found


def name_of(public: str, value: Any) -> str | None:
    """The transformation that a name stands for, by itself or since it is the same object; None for others."""
    return table().get(public) or _by_object().get(id(value))


@functools.cache
def _by_object() -> dict[int, str]:
    found = {}
    for public, name in table().items():
        module, _, attribute = public.rpartition(".")
        value = getattr(importlib.import_module(module), attribute, None)
        if callable(value):
            found[id(value)] = name
    return found


def render() -> str:
    """The text of the module; empty where there is none."""
    try:
        return str(importlib.import_module(f"{__package__}.transformations").render())
    except (ModuleNotFoundError, AttributeError):
        return ""
