"""What is known of a size in the signature of a function."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class Dim:
    """What is known of a size in the signature of a function."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Named(Dim):
    """The size of this number among those of the function: any size, and wherever it stands the same."""

    of: int


@dataclass(frozen=True, slots=True)
class Number(Dim):
    """This size always."""

    value: int


@dataclass(frozen=True, slots=True)
class Product(Dim):
    """``factor * left * right / divisor``, where `right` may be None."""

    left: int
    right: int | None = None
    factor: int = 1
    divisor: int = 1


@dataclass(frozen=True, slots=True)
class Sum(Dim):
    """``factor * left + right + more``, where `right` may be None."""

    left: int
    right: int | None = None
    factor: int = 1
    more: int = 0


@dataclass(frozen=True, slots=True)
class Free(Dim):
    """Not known, or not always the same."""


def value_of(dim: Dim, values: Sequence[int]) -> int | None:
    """What a size is if the named ones have these values."""
    match dim:
        case Number(value):
            return value
        case Named(of):
            return values[of]
        case Product(left, right, factor, divisor):
            return factor * values[left] * (1 if right is None else values[right]) // divisor
        case Sum(left, right, factor, more):
            return factor * values[left] + (0 if right is None else values[right]) + more
    return None
