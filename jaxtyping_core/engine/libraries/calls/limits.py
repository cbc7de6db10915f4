"""Calls of libraries that take longer, or give more, than their arguments are large: what they are given is limited.

Each is a row: the function, and whether a call of it is too much.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from typing import Any

from ....identity import identity
from ...language.operators import MOST_ITEMS

#: Texts of numbers that fractions are made of: with an exponent of three digits at most.
FRACTION = re.compile(r"\s*[-+]?[\d_./ ]{1,64}([eE][-+]?\d{1,3})?\s*")
#: Operands of a sum of products that are tried in any order, and orders that are found in little time.
MOST_OPERANDS = 6
QUICK = (None, False, "auto", "greedy")

TooMuch = Callable[[list[Any], dict[str, Any]], bool]


def _has_long_text(args: list[Any], kwargs: dict[str, Any]) -> bool:
    texts = [arg for arg in [*args, *kwargs.values()] if isinstance(arg, str)]
    return not all(map(FRACTION.fullmatch, texts))


def _is_long(args: list[Any], kwargs: dict[str, Any]) -> bool:
    return any(type(arg) is int and arg > MOST_ITEMS for arg in [*args, *kwargs.values()])


def has_many_orders(args: list[Any], kwargs: dict[str, Any]) -> bool:
    order = kwargs.get("optimize")
    if isinstance(order, (list, tuple)) and len(args) - 1 <= MOST_OPERANDS:
        return False
    if order is None or isinstance(order, (str, bool)):
        return order not in QUICK and (order not in (True, "optimal") or len(args) - 1 > MOST_OPERANDS)
    return True  # an object that searches as long as it likes


ROWS: dict[str, TooMuch] = {
    "builtins.bytes": _is_long,
    "fractions.Fraction": _has_long_text,
    "statistics.quantiles": _is_long,
    "numpy.einsum": has_many_orders,
    "numpy.einsum_path": has_many_orders,
    "jax.numpy.einsum": has_many_orders,
    "jax.numpy.einsum_path": has_many_orders,
}


def rows(table: Mapping[str, TooMuch]) -> dict[int, tuple[Any, TooMuch]]:
    """The rows of a table for what is imported, by the functions' ids."""
    by_id = {}
    for path, row in table.items():
        module, _, name = path.rpartition(".")
        if module in sys.modules:
            function = getattr(sys.modules[module], name, None)
            by_id[identity(function)] = (function, row)
    return by_id
