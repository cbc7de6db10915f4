"""Which sizes are tried for the names in the annotations of a function."""

from __future__ import annotations

import itertools
import keyword
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from jaxtyping_core.sampling.tables.limits import MOST_ONES, MOST_SEARCHED
from jaxtyping_core.sampling.tables.sizes import COMPOSITES, EQUAL_DECLARED, POWERS, PRIMES, SMALL_DECLARED

#: Words that JAX's sizes have a meaning for.
RESERVED = frozenset({"floordiv", "mod", "max", "min", "non_negative"})
#: A size for each name, by its place.
Draw = tuple[int, ...]


def _each(table: Sequence[int], count: int) -> Draw:
    rounds = -(-count // len(table)) or 1
    return tuple(size for again in range(rounds) for size in (value + again for value in table))[:count]


def distinct(count: int) -> list[Draw]:
    """Sizes that are all different and more than 1: prime or with common factors, growing and shrinking."""
    rising = [_each(table, count) for table in (PRIMES, COMPOSITES, POWERS)]
    return list(dict.fromkeys([*rising, *(draw[::-1] for draw in rising)]))


def special(count: int) -> list[Draw]:
    """Sizes of 1 and equal sizes, which JAX and programs treat as cases of their own."""
    return list(dict.fromkeys([*((size,) * count for size in EQUAL_DECLARED), *_with_a_one(count)]))


def _with_a_one(count: int) -> list[Draw]:
    primes = _each(PRIMES, count)
    return [(*primes[:place], 1, *primes[place + 1 :]) for place in range(min(count, MOST_ONES))]


def confirming(count: int) -> list[Draw]:
    """Sizes for which a proof is looked at again: to JAX a symbol is more than 1, equal to no other, and what it must be divided by divides it."""
    different = [_each(PRIMES, count)[::-1], _each(COMPOSITES, count)]
    equal = ((size,) * count for size in SMALL_DECLARED)
    return list(dict.fromkeys([*equal, *different, *_with_a_one(count)]))


def without_small(draw: Draw) -> list[Draw]:
    """The same sizes with larger odd ones for 1 and for 3, half of which is 1: none is broadcast, and those that were equal are."""
    larger = [size for size in PRIMES if size > max(SMALL_DECLARED) and size not in draw]
    replaced = [dict(zip(SMALL_DECLARED, larger[first:], strict=False)) for first in range(2)]
    return [tuple(each.get(size, size) for size in draw) for each in replaced]


def growing(count: int, most: int = MOST_SEARCHED) -> Iterator[Draw]:
    """All sizes from the smallest on, as far as `most`: those of the least sum first."""
    if not count:
        yield ()
        return
    totals = (draw for total in itertools.count(count) for draw in _of_sum(count, total))
    yield from itertools.islice(totals, most)


def _of_sum(count: int, total: int) -> Iterator[Draw]:
    if count == 1:
        yield (total,)
        return
    for first in range(1, total - count + 2):
        for rest in _of_sum(count - 1, total - first):
            yield (first, *rest)


class Supply:
    """Gives each name its size, the same whenever it is asked; counts sizes without a name."""

    def __init__(self, make: Callable[[str, int], Any], symbols: bool = False) -> None:
        self.symbols = symbols
        self._make = make
        self._made: dict[str, Any] = {}
        self._fresh = 0

    @property
    def names(self) -> list[str]:
        """What was asked for, in order."""
        return list(self._made)

    @property
    def sizes(self) -> Mapping[str, Any]:
        """The sizes of the names that were asked for."""
        return self._made

    def restart(self) -> None:
        """Give out the sizes without a name from the first on again."""
        self._fresh = 0

    def of(self, name: str, allowed: frozenset[int] | None = None) -> Any:
        """The size of a name, one of those that are `allowed`."""
        if name not in self._made:
            size = self._make(name, len(self._made))
            if allowed is not None and size not in allowed:
                size = sorted(allowed)[len(self._made) % len(allowed)]
            self._made[name] = size
        return self._made[name]

    def fresh(self) -> Any:
        """A size without a name."""
        self._fresh += 1
        return self.of(f"?{self._fresh}")


def drawn(draw: Draw) -> Supply:
    """The sizes of a draw; of names beyond it, primes."""
    return Supply(lambda _, place: draw[place] if place < len(draw) else PRIMES[place % len(PRIMES)])


def symbolic() -> Supply:
    """Symbols of ``jax.export``, each at least 1."""
    from jax import export

    scope = export.SymbolicScope()

    def make(name: str, place: int) -> Any:
        usable = name.isidentifier() and name.isascii() and not keyword.iskeyword(name)
        text = name if usable and name not in RESERVED else f"size_{place}"
        return export.symbolic_shape(text, scope=scope)[0]

    return Supply(make, symbols=True)
