"""The calls that together stand for all calls of a function, where it declares choices (``x: Array | None``).

A program may ask which choice was passed. So each way to choose is a call of its own, in which nothing is open to choose.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from jaxtyping_core._annotations.elements import KEYS
from jaxtyping_core.domain.arrays import AbstractArray

from .values import OPEN, OneOf

#: Calls that stand for all of a function. A choice that would make more is left open.
MOST_CALLS = 6
#: The dtypes of a raw key.
RAW_KEY = frozenset({"uint32"})


def calls(arguments: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The arguments of each call, for arguments as `assuming` gives them."""
    choices: list[list[Any]] = []
    number = 1
    for value in arguments.values():
        each = list(_choices(value))
        if number * len(each) > MOST_CALLS:
            each = [OPEN]
        choices.append(each)
        number *= len(each)
    for chosen in itertools.product(*choices):
        yield dict(zip(arguments, chosen, strict=True))


def _choices(value: Any) -> Iterator[Any]:
    """What a value may be, as far as a program can tell."""
    if isinstance(value, OneOf):
        for choice in _of_one_generator(value.members):
            yield from _choices(choice)
    elif type(value) is tuple:
        yield from itertools.product(*map(list, map(_choices, value)))
    else:
        yield value


def _of_one_generator(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """A choice without all raw keys but the first, where keys may be typed: JAX takes raw keys of one generator alone."""
    arrays = [value for value in values if isinstance(value, AbstractArray)]
    raw = [array for array in arrays if array.dtypes == RAW_KEY]
    dropped = raw[1:] if any(array.dtypes == KEYS for array in arrays) else []
    return tuple(value for value in values if not any(value is each for each in dropped))
