"""How the dims of a call are read: as symbols, or as sizes that stand in for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .values import DIM_FUNCTIONS, SYMBOL, UNKNOWN_INT
from .verdicts import Undecided

#: Sizes that stand in for symbols where symbolic evaluation gives up: distinct, so that a mismatch of two
#: symbols stays one. The large ones have many divisors, so that a reshape or a split does not fail for a
#: size that some value of the symbol would allow; the small ones show where a result stops following them
#: (a minimum of a symbol and a number), and the order changes from one to the next, so that a minimum is not
#: taken for one of its parts.
WITNESSES = (
    [240 * p for p in (11, 17, 23, 31, 41, 47, 59, 67)],
    [240 * p for p in (71, 61, 53, 43, 37, 29, 19, 13)],
    [5, 3, 7, 2, 13, 11, 19, 17],
    [2, 1, 3, 1, 2, 1, 3, 1],
    [1, 2, 1, 3, 1, 2, 1, 3],
)
#: How many of these choices have no size 1, which fits every other.
ABOVE_ONE = 3
#: The same for Python ints of unknown value, which count axes and steps more often than sizes.
INT_WITNESSES = ([2, 3, 4, 5, 6, 7, 8, 9], [3, 5, 7, 9, 11, 13, 15, 17], *([n] * 8 for n in (1, 2, 1)))


def witnesses(symbols: list[str]) -> list[dict[str, int]]:
    """The choices of sizes for the symbols of a call."""
    if len(symbols) > len(WITNESSES[0]):
        raise Undecided("too many symbolic dims")
    return [
        {symbol: (ints if symbol.startswith(UNKNOWN_INT) else dims)[i] for i, symbol in enumerate(symbols)}
        for dims, ints in zip(WITNESSES, INT_WITNESSES, strict=True)
    ]


def symbolic_reader() -> Callable[[Any], Any]:
    from jax import export

    scope = export.SymbolicScope()

    def read(dim: Any) -> Any:
        if isinstance(dim, int):
            return dim
        try:
            return export.symbolic_shape(dim, scope=scope)[0]
        except ValueError:  # JAX's own notation has no parentheses: let Python do the arithmetic
            names = {s: export.symbolic_shape(s, scope=scope)[0] for s in SYMBOL.findall(dim)}
            return calculate(dim, names)

    return read


def concrete_reader(sizes: dict[str, int]) -> Callable[[Any], Any]:
    return lambda dim: dim if isinstance(dim, int) else calculate(dim, sizes)


def calculate(dim: str, names: dict[str, Any]) -> Any:
    """The value of an expression over sizes, which JAX or the plugin wrote, never a user."""
    return eval(dim, {**names, **DIM_FUNCTIONS, "__builtins__": {}})
