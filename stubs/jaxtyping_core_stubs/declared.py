"""The signatures that JAX itself declares for a function: they come after all that is found out."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from inspect import Signature
from typing import Any

import jax

from . import oracle


def overloads(path: str, function: Callable[..., Any]) -> list[Signature]:
    """The overloads that JAX declares, in its stub or in its source; none where there is one signature."""
    module, _, name = path.rpartition(".")
    described = oracle.functions(module).get(name, [])
    if len(described) > 1:
        return described
    inner = inspect.unwrap(function)
    overloaded = typing.get_overloads(inner) if inspect.isfunction(inner) else []
    return [inspect.signature(overload) for overload in overloaded]


def count(path: str, function: Callable[..., Any]) -> int:
    """The number of signatures that JAX declares."""
    return 1 if isinstance(function, jax.numpy.ufunc) else max(len(overloads(path, function)), 1)
