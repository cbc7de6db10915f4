"""How the dims of a call are read: as symbols, or as sizes that stand in for them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from ..domain.expressions import FUNCTIONS, calculate
from .errors import Inconclusive
from .symbols import SYMBOL, UNKNOWN_DIM, UNKNOWN_INT
from .tables.sizes import (
    CONFIRMING_FORMULAS,
    CONFIRMING_SIZES,
    INT_SIZES,
    MORE_INT_SIZES,
    MORE_SYMBOL_SIZES,
    SYMBOL_SIZES,
)


def dim_samples(symbols: list[str], more: bool = False) -> list[dict[str, int]]:
    """The choices of sizes for the symbols of a call, the first ones or further ones."""
    if len(symbols) > len(SYMBOL_SIZES[0]):
        raise Inconclusive("too many symbolic dims")
    chosen = (MORE_SYMBOL_SIZES, MORE_INT_SIZES) if more else (SYMBOL_SIZES, INT_SIZES)
    return [
        {symbol: (ints if symbol.startswith(UNKNOWN_INT) else dims)[i] for i, symbol in enumerate(symbols)}
        for dims, ints in zip(*chosen, strict=True)
    ]


def confirmations(symbols: list[str], of_formulas: bool) -> Iterator[dict[str, int]]:
    """The choices of sizes for which a symbolic result is looked at again."""
    for sizes in CONFIRMING_FORMULAS if of_formulas else (CONFIRMING_SIZES,):
        yield dict(zip(symbols, itertools.cycle(sizes), strict=False))


def without_elements(symbols: list[str]) -> Iterator[dict[str, int]]:
    """The choice in which unknown dims are 0, if there are any: to JAX, a symbol is at least 1."""
    if any(symbol.startswith(UNKNOWN_DIM) for symbol in symbols):
        chosen = zip(symbols, itertools.cycle(CONFIRMING_SIZES), strict=False)
        yield {symbol: 0 if symbol.startswith(UNKNOWN_DIM) else size for symbol, size in chosen}


def symbolic_reader() -> Callable[[Any], Any]:
    from jax import export

    scope = export.SymbolicScope()

    def read(dim: Any) -> Any:
        if isinstance(dim, int):
            return dim
        try:
            return export.symbolic_shape(dim, scope=scope)[0]
        except ValueError:  # JAX's own notation has no parentheses: let Python do the arithmetic
            symbols = {name for name in SYMBOL.findall(dim) if name not in FUNCTIONS}
            return calculate(dim, {name: export.symbolic_shape(name, scope=scope)[0] for name in symbols})

    return read


def concrete_reader(sizes: dict[str, int]) -> Callable[[Any], Any]:
    return lambda dim: dim if isinstance(dim, int) else calculate(dim, sizes)


def written(dim: Any) -> str:
    """A symbolic size as Python writes it: JAX writes powers as ``D^2``."""
    return str(dim).replace("^", "**")
