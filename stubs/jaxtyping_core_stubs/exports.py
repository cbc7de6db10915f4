"""The names that a module of its own defines: the transformations of functions."""

from __future__ import annotations

import functools
import importlib
from typing import Any

from . import transformations

MODULE = "jax._transformations"


def name_of(public: str, value: Any) -> str | None:
    """The transformation that a name stands for, by itself or since it is the same object; None for others."""
    return transformations.EXPORTS.get(public) or _by_object().get(id(value))


@functools.cache
def _by_object() -> dict[int, str]:
    names = {}
    for public, name in transformations.EXPORTS.items():
        module, _, attribute = public.rpartition(".")
        value = getattr(importlib.import_module(module), attribute, None)
        if callable(value):
            names[id(value)] = name
    return names
