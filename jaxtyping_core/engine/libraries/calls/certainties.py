"""Refusals of arrays with unknown sizes that no sizes make right."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations, zip_longest
from string import ascii_lowercase
from typing import Any

import jax

from ....sampling.errors import FRESH, readable, words_about_ranks
from ...values import arrays

#: JAX's words for two arrays that do not broadcast, and for ones that a product does not contract.
OF_BROADCASTING = re.compile(r"[Ii]ncompatible shapes for broadcasting")
OF_CONTRACTING = re.compile(
    r"contracting dimensions to have the same shape, got \(([^(),]+),\) and \(([^(),]+),\)"
)
#: ... and for dtypes that an operation does not take, whatever the sizes.
OF_DTYPES = re.compile(
    r"does not accept dtype \w+ at position|requires arguments to have the same dtypes, got|no available implicit dtype promotion path"
)
#: ... and for what it cannot do with a symbol.
OF_SYMBOLS = re.compile(r"concrete values|symbolic")


def fails_for_all_dims(message: str, values: Sequence[Any]) -> str | None:
    """A refusal that holds for all sizes, with letters for the unknown ones; None if some sizes may be right.

    Like JAX, it takes sizes for positive ("Dimension variables must be strictly positive", JAX on shape polymorphism).
    """
    shapes = [leaf.shape for leaf in values if arrays.is_array(leaf)]
    is_of_no_size = words_about_ranks(message) is not None or OF_DTYPES.search(message) is not None
    certain = is_of_no_size and not OF_SYMBOLS.search(message)
    if len(shapes) == 2 and OF_BROADCASTING.search(message):
        certain = clash(*shapes)
    if contracted := OF_CONTRACTING.search(message):
        dims = {str(dim): dim for shape in shapes for dim in shape}
        certain = all(each in dims for each in contracted.groups()) and differ(
            *map(dims.get, contracted.groups())
        )
    return with_letters(message) if certain else None


def clash(left: Sequence[Any], right: Sequence[Any]) -> bool:
    """Whether two shapes do not broadcast, whatever their symbols are."""
    pairs = zip_longest(reversed(left), reversed(right), fillvalue=1)
    return any(all(differ(a, b) for a, b in combinations((*pair, 1), 2)) for pair in pairs)


def differ(left: Any, right: Any) -> bool:
    """Whether two sizes are never equal."""
    return is_more(left, right) or is_more(right, left)


def is_more(left: Any, right: Any) -> bool:
    """Whether a size is always larger than another."""
    try:
        return bool(left - right >= 1)
    except jax.errors.InconclusiveDimensionOperation:
        return False


def with_letters(message: str) -> str:
    """A message with ``a``, ``b`` ... for the symbols of unknown sizes, and the words that say so."""
    symbols = list(dict.fromkeys(FRESH.findall(message)))
    letters = [letter for letter in ascii_lowercase if not re.search(rf"\b{letter}\b", message)]
    if not symbols or len(symbols) > len(letters):
        return readable(message)
    names = dict(zip(symbols, letters, strict=False))
    named = FRESH.sub(lambda symbol: names[symbol[0]], message).removesuffix(".")
    return f"{named}, whatever {' and '.join(names.values())} {'is' if len(names) == 1 else 'are'}"
