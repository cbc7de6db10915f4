"""The formula that a size follows, found from the sizes that several choices for the symbols give.

Nothing here says that a formula is right: one that fits a few choices has to be tried on many more (`MORE_SYMBOL_SIZES`).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from ..domain.expressions import calculate
from .sizes import written
from .symbols import UNKNOWN
from .tables.limits import MOST_FORMULA_SYMBOLS, MOST_PARTS, MULTIPLES

#: A term, and its value under each choice of sizes.
Term = tuple[str, list[int]]


def formula(column: tuple[int, ...], sizes: list[dict[str, int]]) -> str | None:
    """A size that is `column` under the choices `sizes`, as JAX writes it; the simplest that fits, or None."""
    symbols = [symbol for symbol in sizes[0] if not symbol.startswith(UNKNOWN)]
    if not symbols or len(sizes[0]) > MOST_FORMULA_SYMBOLS:
        return None
    for text, values in terms(symbols, column, sizes):
        constant = column[0] - values[0]
        if all(size - value == constant for size, value in zip(column, values, strict=True)):
            return canonical(f"{text} + {constant}")
    return None


def terms(symbols: list[str], column: tuple[int, ...], sizes: list[dict[str, int]]) -> Iterator[Term]:
    """What a size may be but for a constant, the simple before the less simple."""

    def valued(text: str) -> Term:
        return text, [calculate(text, chosen) for chosen in sizes]

    pairs = list(itertools.combinations(symbols, 2))
    plain = [valued(symbol) for symbol in symbols]
    plain += [valued(f"{function}({a}, {b})") for a, b in pairs for function in ("min", "max")]
    diagonals = [f"min({a} - 1, {b})" for a, b in itertools.permutations(symbols, 2)]
    products = [f"{a}*{b}" for a, b in itertools.combinations_with_replacement(symbols, 2)]
    for text, values in [*plain, *map(valued, diagonals), *map(valued, products)]:
        # The first sizes are large, so that the constant is no great part of them.
        times, parts = round(column[0] / values[0]), round(values[0] / (column[0] or 1))
        if times:
            yield f"{times}*{text}", [times * value for value in values]
        if 1 < parts <= MOST_PARTS:
            for n in range(parts):
                yield f"floordiv({text} + {n}, {parts})", [(value + n) // parts for value in values]
    for symbol, part in itertools.product(symbols, MULTIPLES):
        yield valued(f"{part}*floordiv({symbol}, {part})")
    for (left, lefts), (right, rights) in itertools.permutations(plain, 2):
        yield f"{left} + {right}", [a + b for a, b in zip(lefts, rights, strict=True)]
        yield f"{left} - {right}", [a - b for a, b in zip(lefts, rights, strict=True)]
    for symbol in symbols:  # less some number, as long as that leaves enough, or as far as another number
        smallest = column.index(min(column))
        yield valued(f"max({symbol} + {column[0] - sizes[0][symbol]}, {min(column)})")
        yield valued(f"min({symbol} + {column[smallest] - sizes[smallest][symbol]}, {max(column)})")


def canonical(text: str) -> str:
    """An expression over sizes as JAX writes it, so that equal ones are mostly written alike."""
    from jax import export

    return written(export.symbolic_shape(text)[0])
