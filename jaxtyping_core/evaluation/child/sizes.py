"""How the dims of a call are read: as symbols, or as sizes that stand in for them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from ...domain.expressions import FUNCTIONS, calculate
from .symbols import SYMBOL, UNKNOWN_DIM, UNKNOWN_INT
from .verdicts import Undecided

#: Sizes that stand in for symbols where symbolic evaluation gives up: distinct, so that a mismatch of two
#: symbols stays one. The large ones have many divisors, so that a reshape or a split does not fail for a
#: size that some value of the symbol would allow; the small ones show where a result stops following them
#: (a minimum of a symbol and a number), and the order changes from one to the next, so that a minimum is not
#: taken for one of its parts. In the end they are equal, which JAX may treat as a case of its own.
WITNESSES = (
    [240 * p for p in (11, 17, 23, 31, 41, 47, 59, 67)],
    [240 * p for p in (71, 61, 53, 43, 37, 29, 19, 13)],
    [5, 3, 7, 2, 13, 11, 19, 17],
    [2, 1, 3, 1, 2, 1, 3, 1],
    [1, 2, 1, 3, 1, 2, 1, 3],
    [6] * 8,
)
#: How many of these choices have no size 1, which fits every other, and no equal sizes.
ABOVE_ONE = 3
#: Further ones, under which a formula for a size must hold that fits the ones above. The first symbol has each of the
#: sizes from 1 to 10; two symbols are less than, equal to and more than each other, and neighbours.
MORE_WITNESSES = (
    [240 * p for p in (5, 3, 7, 2, 9, 4, 8, 6)],
    [101, 211, 67, 151, 53, 307, 131, 251],
    [154, 94, 178, 62, 218, 118, 86, 122],
    [3, 4, 6, 8, 5, 9, 10, 7],
    [4, 3, 8, 6, 7, 5, 9, 10],
    [7, 8, 9, 10, 11, 12, 13, 14],
    [8, 7, 6, 5, 4, 3, 2, 1],
    [9, 1, 8, 2, 7, 3, 6, 4],
    [1, 9, 2, 8, 3, 7, 4, 6],
    [10, 4, 16, 3, 12, 2, 20, 5],
    [2] * 8,
    [1] * 8,
)
#: How many of these JAX must accept for a formula to be believed.
FEWEST = 3
#: The same for Python ints of unknown value, which count axes and steps more often than sizes.
INT_WITNESSES = ([2, 3, 4, 5, 6, 7, 8, 9], [3, 5, 7, 9, 11, 13, 15, 17], *([n] * 8 for n in (1, 2, 1, 2)))
MORE_INT_WITNESSES = tuple([n % 4 + 1] * 8 for n in range(len(MORE_WITNESSES)))

#: Sizes for which a symbolic result must hold, too: some functions have special cases for small ones.
CONFIRMATION = (2, 3)
#: ... or, where it has formulas, these: to JAX, a symbol is true (``if n % 8``) and equal to nothing.
CONFIRMATIONS = ((5, 3, 7, 2, 13, 11), (48, 72, 120, 24, 96, 144))


def witnesses(symbols: list[str], more: bool = False) -> list[dict[str, int]]:
    """The choices of sizes for the symbols of a call, the first ones or further ones."""
    if len(symbols) > len(WITNESSES[0]):
        raise Undecided("too many symbolic dims")
    chosen = (MORE_WITNESSES, MORE_INT_WITNESSES) if more else (WITNESSES, INT_WITNESSES)
    return [
        {symbol: (ints if symbol.startswith(UNKNOWN_INT) else dims)[i] for i, symbol in enumerate(symbols)}
        for dims, ints in zip(*chosen, strict=True)
    ]


def confirmations(symbols: list[str], of_formulas: bool) -> Iterator[dict[str, int]]:
    """The choices of sizes for which a symbolic result is looked at again."""
    for sizes in CONFIRMATIONS if of_formulas else (CONFIRMATION,):
        yield dict(zip(symbols, itertools.cycle(sizes), strict=False))


def without_elements(symbols: list[str]) -> Iterator[dict[str, int]]:
    """The choice in which unknown dims are 0, if there are any: to JAX, a symbol is at least 1."""
    if any(symbol.startswith(UNKNOWN_DIM) for symbol in symbols):
        chosen = zip(symbols, itertools.cycle(CONFIRMATION), strict=False)
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
