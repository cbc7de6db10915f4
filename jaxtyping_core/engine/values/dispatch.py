"""Tables of what is done with a value, by its kind.

A kind is a class, and stands for its subclasses too. `Array` stands for arrays of JAX of known dtype and rank, and `Dim` for
symbolic sizes, whose classes are JAX's own affair. An abstract value has no such methods itself: library code that meets one
would take them for those of an array.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import jax

from . import arrays
from .unknowns import is_dim

F = TypeVar("F", bound=Callable[..., Any])
#: The module of the program's classes, of which each program has others: they are not remembered.
OF_PROGRAM = "__program__"


class Array:
    """The kind of arrays of JAX of known dtype and rank."""


class Dim:
    """The kind of symbolic sizes."""


class ByKind(Generic[F]):
    """A table of functions by the kind of a value.

    Args:
        otherwise: the function for values of all other kinds.
    """

    def __init__(self, otherwise: F) -> None:
        self._otherwise = otherwise
        self._of_kind: dict[type, F] = {}
        self._resolved: dict[type, tuple[F, bool]] = {}

    def of(self, *kinds: type) -> Callable[[F], F]:
        """Enter the function that is decorated for these kinds."""

        def enter(function: F) -> F:
            self._of_kind.update(dict.fromkeys(kinds, function))
            return function

        return enter

    def find(self, value: Any) -> F:
        """The function for a value."""
        cls = type(value)
        known = self._resolved.get(cls)
        if known is None:
            known = self._resolve(cls, value)
        function, may_be_array = known
        return self._of_kind[Array] if may_be_array and arrays.is_array(value) else function

    def _resolve(self, cls: type, value: Any) -> tuple[F, bool]:
        """The function for objects of a class, and whether some of these may be arrays."""
        bases = (Dim, *cls.__mro__) if is_dim(value) else cls.__mro__
        function = next((self._of_kind[base] for base in bases if base in self._of_kind), self._otherwise)
        may_be_array = Array in self._of_kind and issubclass(cls, (jax.Array, jax.core.Tracer))
        if cls.__module__ != OF_PROGRAM:
            self._resolved[cls] = (function, may_be_array)
        return function, may_be_array
