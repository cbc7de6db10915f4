"""Dims in the signature of a function: the domain's, with a numbered symbol for each of the function's named sizes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from jaxtyping_core.domain.dims import Dim
from jaxtyping_core.domain.expressions import calculate

#: What the symbols of named sizes are called.
SYMBOL = re.compile(r"\bsize(\d+)\b")


def named(of: int) -> str:
    """The size of this number among those of the function."""
    return f"size{of}"


def named_size(dim: Dim) -> int | None:
    """Which named size a dim is. None if it is another dim."""
    match = SYMBOL.fullmatch(dim) if isinstance(dim, str) else None
    return int(match[1]) if match else None


def named_sizes_in(dim: str) -> set[int]:
    """The named sizes that an expression depends on."""
    return set(map(int, SYMBOL.findall(dim)))


def value_of(dim: Dim, values: Sequence[int]) -> int | None:
    """What a dim comes to if the named sizes have these values."""
    if not isinstance(dim, str):
        return dim
    value: int = calculate(dim, {named(of): value for of, value in enumerate(values)})
    return value


def with_names(dim: str, names: Mapping[int, str]) -> str:
    """An expression as an annotation has it."""
    return SYMBOL.sub(lambda match: names[int(match[1])], dim)


def product(left: int, right: int | None = None, factor: int = 1, divisor: int = 1) -> str:
    """``factor*left*right//divisor``."""
    factors = [named(of) for of in (left, right) if of is not None]
    text = "*".join([str(factor)] * (factor != 1) + factors)
    return text if divisor == 1 else f"{text}//{divisor}"


def total(left: int, right: int | None = None, factor: int = 1, more: int = 0) -> str:
    """``factor*left + right + more``."""
    text = named(left) if factor == 1 else f"{factor}*{named(left)}"
    text = text if right is None else f"{text}+{named(right)}"
    return text if more == 0 else f"{text}{more:+d}"
