"""Python's own functions of iterables, for values that may be unknown."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...language.operators import BINARY
from ...language.sequences import items_of
from ...language.tracing import asked, compared, decided
from ...language.truth import truth
from ...values import arrays
from ...values.callables import Cursor
from ...values.fresh_dims import first_varying, next_of
from ...values.items import Items, all_listed
from ...values.joins import join, join_all
from ...values.unknowns import UNKNOWN, AbstractScalar, AbstractSequence, Endless, is_dim, is_many, is_unknown

if TYPE_CHECKING:
    from ...interpreter import Interpreter
    from .builtin_functions import Maker


def zipped(interpreter: Interpreter) -> Callable[..., Any]:
    def zipped(*several: Any, **_: Any) -> Any:
        columns = [items_of(interpreter, each) for each in several]
        known = all_listed(columns)
        if known:
            return Cursor([*zip(*known, strict=False)])
        items = tuple(column.item for column in columns)
        return AbstractSequence(items, all(column.some for column in columns), tuple, first_varying(columns))

    return zipped


def enumerated(interpreter: Interpreter) -> Callable[..., Any]:
    def enumerated(iterable: Any, start: Any = 0) -> Any:
        items = items_of(interpreter, iterable)
        if items.listed is None or type(start) is not int:
            some = items.some and items.listed is None
            return AbstractSequence((AbstractScalar(int), items.item), some, tuple, items.since)
        return Cursor([*enumerate(items.listed, start)])

    return enumerated


def mapped(interpreter: Interpreter) -> Callable[..., Any]:
    def mapped(function: Any, *several: Any) -> Any:
        rows = zipped(interpreter)(*several)
        items = items_of(interpreter, rows)
        if items.listed is None:
            row = list(items.item) if type(items.item) is tuple else [UNKNOWN]
            return AbstractSequence(interpreter.call(function, row, {}), items.some)
        return Cursor([interpreter.call(function, list(row), {}) for row in items.listed])

    return mapped


def filtered(interpreter: Interpreter) -> Callable[..., Any]:
    def filtered(function: Any, iterable: Any) -> Any:
        items = items_of(interpreter, iterable)
        if items.listed is None:
            return items.as_many(some=False)
        outcomes = [
            decided(
                interpreter, item if function is None else interpreter.call(function, [item], {}), "filter"
            )
            for item in items.listed
        ]
        if None in outcomes:
            return AbstractSequence(items.item)
        return Cursor([item for item, outcome in zip(items.listed, outcomes, strict=True) if outcome])

    return filtered


def backwards(interpreter: Interpreter) -> Callable[..., Any]:
    def backwards(iterable: Any) -> Any:
        items = items_of(interpreter, iterable)
        return items.value if items.listed is None else Cursor(items.listed[::-1])

    return backwards


def ordered(interpreter: Interpreter) -> Callable[..., Any]:
    def ordered(iterable: Any, key: Any = None, reverse: Any = False) -> Any:
        several = items_of(interpreter, iterable)
        items = several.listed
        if items is None:
            return several.as_many()
        keys = [item if key is None else interpreter.call(key, [item], {}) for item in items]
        compared(interpreter, keys, "sorted")
        if arrays.holds_unknown(keys) or any(map(arrays.is_array, keys)) or is_unknown(reverse):
            return AbstractSequence(join_all(items), True) if items else []
        order = sorted(range(len(items)), key=keys.__getitem__, reverse=bool(reverse))
        return [items[i] for i in order]

    return ordered


def summed(interpreter: Interpreter) -> Callable[..., Any]:
    def summed(iterable: Any, start: Any = 0) -> Any:
        items = items_of(interpreter, iterable)
        add = next(iter(BINARY.values()))
        if items.listed is None:
            total = interpreter.call(add, [start, next_of(items)], {})
            again = interpreter.call(add, [total, next_of(items)], {})
            several = join(total, again)
            return several if items.some else join(start, several)
        total = start
        for item in items.listed:
            total = interpreter.call(add, [total, item], {})
        return total

    return summed


def extreme(name: str) -> Maker:
    real = getattr(builtins, name)

    def make(interpreter: Interpreter) -> Callable[..., Any]:
        def extreme(*args: Any, key: Any = None, **kwargs: Any) -> Any:
            several = items_of(interpreter, args[0]) if len(args) == 1 else Items(list(args))
            items = several.listed
            if items is None:
                return next_of(several) if "default" not in kwargs else join(several.item, kwargs["default"])
            if "default" in kwargs and not items:
                return kwargs["default"]
            keys = [item if key is None else interpreter.call(key, [item], {}) for item in items]
            compared(interpreter, keys, name)
            plain = all(
                type(k) in (bool, int, float, complex, str, tuple) for k in keys
            ) and not arrays.holds_unknown(keys)
            if items and plain:
                return items[real(range(len(items)), key=keys.__getitem__)]
            if items and all(is_dim(item) or type(item) is int for item in items):
                return (
                    arrays.unknown_size() if all(is_dim(i) or i > 0 for i in items) else AbstractScalar(int)
                )
            return join_all(items) if items else UNKNOWN

        return extreme

    return make


def every(name: str) -> Maker:
    stop = name == "any"

    def make(interpreter: Interpreter) -> Callable[..., Any]:
        def every(iterable: Any) -> Any:
            items = items_of(interpreter, iterable)
            outcomes: list[bool | None] = [None] if items.listed is None else []
            for item in items.listed or ():
                outcomes.append(truth(item) if stop in outcomes else decided(interpreter, item, name))
            return stop if stop in outcomes else AbstractScalar(bool) if None in outcomes else not stop

        return every

    return make


def following(interpreter: Interpreter) -> Callable[..., Any]:
    def following(iterator: Any, *default: Any) -> Any:
        if is_many(iterator):
            if isinstance(iterator, Endless):
                iterator.fresh = None
            return next_of(iterator)
        if isinstance(iterator, Cursor):
            if iterator.position < len(iterator.items):
                return next(iterator)
            return default[0] if default else interpreter.failed(StopIteration())
        if type(iterator) in interpreter.classes and hasattr(type(iterator), "__next__"):
            return interpreter.call(type(iterator).__next__, [iterator], {})
        if isinstance(iterator, list):  # a generator expression
            return iterator[0] if iterator else default[0] if default else interpreter.failed(StopIteration())
        return UNKNOWN

    return following


def iterator(interpreter: Interpreter) -> Callable[..., Any]:
    def iterator(iterable: Any, *_: Any) -> Any:
        if isinstance(iterable, (Cursor, Endless)):
            return iterable
        items = items_of(interpreter, iterable)
        return items.value if items.listed is None else Cursor(items.listed)

    return iterator


def ranged(interpreter: Interpreter) -> Callable[..., Any]:
    def made(*args: Any) -> Any:
        for arg in args:
            asked(interpreter, arg, "range")
        if all(type(arg) is int for arg in args):
            return range(*args)
        return AbstractSequence(AbstractScalar(int), any(map(is_dim, args)) and len(args) == 1)

    return made
