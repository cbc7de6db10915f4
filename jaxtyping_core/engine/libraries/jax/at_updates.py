"""``x.at[index].set(value)`` and the like, where the array or the index is not wholly known."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import jax

from ....domain.arrays import TOP
from ...control import RaisedException
from ...values import arrays
from ...values.unknowns import Partial

if TYPE_CHECKING:
    from ...interpreter import Interpreter

#: Updates that keep the dtype of the array, whatever the value is; ``divide`` and ``power`` do not.
KEEPING = frozenset({"set", "add", "subtract", "multiply", "mul", "min", "max"})


class At:
    """``x.at`` of an array that is not wholly known."""

    def __init__(self, array: Any) -> None:
        self.array = array


class Update:
    """``x.at[index]``, of which the array or the index is not wholly known."""

    def __init__(self, array: Any, key: Any) -> None:
        self.array, self.key = array, key


def of_update(interpreter: Interpreter, update: Update, name: str, args: list[Any]) -> Any:
    """What a method of such an update gives: an array of the same shape, but for ``get``."""
    if name == "get":
        return interpreter.item(update.array, update.key)
    known = arrays.known_of(update.array) or TOP
    if name not in KEEPING or not args:
        return arrays.of_known(known.with_dtype(None, None))
    value = arrays.known_of(args[0]) or TOP
    if isinstance(update.array, Partial) or value.dtype is None or value.weak is None:
        return arrays.of_known(replace(known, weak=False if known.weak is False else None))
    try:
        return _updated(update, name, args[0], arrays.of_known(replace(value, shape=())))
    except RaisedException:
        raise
    except Exception as error:  # what real code raises is what the program would meet
        return interpreter.failed(error)


def _updated(update: Update, name: str, value: Any, number: Any) -> Any:
    """What JAX gives for such an update, or for one of all items by a `number` of the value's dtype."""
    if not arrays.holds_unknown(update.key) and not arrays.holds_unknown(value):
        with contextlib.suppress(jax.errors.NonConcreteBooleanIndexError):
            return getattr(update.array.at[update.key], name)(value)
    return getattr(update.array.at[...], name)(number)
