"""`itertools`, for values that may be unknown.

The iterators of Python itself are never made: they call what they are given, and whatever takes their items may wait for an
end that never comes, or comes late. Here the items are made at once, and each call is the interpreter's.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ...language.operators import add
from ...language.sequences import MOST_ITEMS, items_of
from ...language.truth import truth
from ...values import arrays
from ...values.callables import STAR_ARGS, Cursor
from ...values.items import Items, all_listed
from ...values.joins import join_all
from ...values.unknowns import UNKNOWN, AbstractScalar, AbstractSequence, Endless, is_endless, is_scalar

if TYPE_CHECKING:
    from ...interpreter import Interpreter

Native = Callable[..., Any]
#: Keys that are compared as they are.
PLAIN = (bool, int, float, str, bytes, tuple, type(None))


def _count(interpreter: Interpreter) -> Native:
    def count(start: Any = 0, step: Any = 1) -> Any:
        if all(type(each) in (int, float) for each in (start, step)):
            kind = int if type(start) is type(step) is int else float
            return Endless(AbstractScalar(kind), lambda: itertools.count(start, step))
        whole = all(type(each) is int or (is_scalar(each, int)) for each in (start, step))
        return AbstractSequence(AbstractScalar(int) if whole else UNKNOWN, True)

    return count


def _cycle(interpreter: Interpreter) -> Native:
    def cycle(iterable: Any) -> Any:
        items = items_of(interpreter, iterable)
        listed = items.listed
        if listed is None:
            return items.as_many()
        return Endless(items.item, lambda: itertools.cycle(listed)) if listed else Cursor([])

    return cycle


def _repeat(interpreter: Interpreter) -> Native:
    def repeat(value: Any = UNKNOWN, times: Any = None) -> Any:
        if times is None:
            return Endless(value, lambda: itertools.repeat(value))
        known = type(times) is int and times <= MOST_ITEMS
        return Cursor([value] * times) if known else AbstractSequence(value, type(times) is int)

    return repeat


def _islice(interpreter: Interpreter) -> Native:
    def islice(iterable: Any, *bounds: Any) -> Any:
        known = all(bound is None or (type(bound) is int and bound >= 0) for bound in bounds)
        end = bounds[0] if len(bounds) == 1 else bounds[1] if len(bounds) > 1 else None
        if is_endless(iterable) and iterable.fresh and known and end is not None and end <= MOST_ITEMS:
            fresh, iterable.fresh = iterable.fresh, None
            return Cursor([*itertools.islice(fresh(), *bounds)])
        if type(iterable) is Cursor and known and end is not None:
            taken = Cursor(iterable.items[iterable.position :])  # what is left of the iterator stays there
            iterable.go_to(min(len(iterable.items), iterable.position + end))
            iterable = taken
        items = items_of(interpreter, iterable)
        if items.listed is None:
            return items.as_many(some=False)
        try:
            return (
                Cursor([*itertools.islice(items.listed, *bounds)]) if known else AbstractSequence(items.item)
            )
        except (TypeError, ValueError) as error:
            return interpreter.failed(error)

    return islice


def _chained(interpreter: Interpreter, several: Iterable[Any]) -> Any:
    columns = [items_of(interpreter, each) for each in several]
    known = all_listed(columns)
    if known is not None and sum(map(len, known)) <= MOST_ITEMS:
        return Cursor([item for column in known for item in column])
    return AbstractSequence(
        join_all([column.item for column in columns]), any(column.some for column in columns)
    )


def _chain(interpreter: Interpreter) -> Native:
    def chain(*several: Any) -> Any:
        return _chained(interpreter, several) if several else Cursor([])

    def from_iterable(iterable: Any = UNKNOWN) -> Any:
        outer = items_of(interpreter, iterable)
        if outer.listed is None:
            return AbstractSequence(items_of(interpreter, outer.item).item)
        return chain(*outer.listed)

    chain.from_iterable = interpreter.natives.function(from_iterable)  # type: ignore[attr-defined]  # as the class has it
    return chain


def _accumulate(interpreter: Interpreter) -> Native:
    def accumulate(iterable: Any, func: Any = None, *, initial: Any = None) -> Any:
        items = items_of(interpreter, iterable)
        function = add if func is None else func
        if items.listed is None:
            interpreter.call(function, [UNKNOWN, items.item], {})
            return AbstractSequence(UNKNOWN, items.some)
        totals: list[Any] = [] if initial is None else [initial]
        for item in items.listed:
            totals.append(interpreter.call(function, [totals[-1], item], {}) if totals else item)
        return Cursor(totals)

    return accumulate


def _starmap(interpreter: Interpreter) -> Native:
    def starmap(function: Any, iterable: Any) -> Any:
        items = items_of(interpreter, iterable)
        if items.listed is None:
            row = items_of(interpreter, items.item).listed
            return AbstractSequence(
                interpreter.call(function, [STAR_ARGS] if row is None else row, {}), items.some
            )
        rows = all_listed([items_of(interpreter, item) for item in items.listed])
        if rows is None:
            return AbstractSequence(interpreter.call(function, [UNKNOWN], {}), True)
        return Cursor([interpreter.call(function, [*row], {}) for row in rows])

    return starmap


def _while(takes: bool) -> Callable[[Interpreter], Native]:
    """``takewhile``, or ``dropwhile``."""

    def make(interpreter: Interpreter) -> Native:
        def taken(predicate: Any, iterable: Any) -> Any:
            if is_endless(iterable) and iterable.fresh and takes:
                fresh, iterable.fresh = iterable.fresh, None
                iterable = [*itertools.islice(fresh(), MOST_ITEMS)]
            items = items_of(interpreter, iterable)
            if is_endless(items.value):
                interpreter.too_much()
            if items.listed is None:
                interpreter.call(predicate, [items.item], {})
                return items.as_many(some=False)
            for i, item in enumerate(items.listed):
                outcome = truth(interpreter.call(predicate, [item], {}))
                if outcome is None:
                    return AbstractSequence(items.item)
                if not outcome:
                    return Cursor(items.listed[:i] if takes else items.listed[i:])
            is_all = len(items.listed) < MOST_ITEMS
            return Cursor(items.listed if takes else []) if is_all else AbstractSequence(items.item)

        return taken

    return make


def _filterfalse(interpreter: Interpreter) -> Native:
    def filterfalse(predicate: Any, iterable: Any) -> Any:
        items = items_of(interpreter, iterable)
        if items.listed is None:
            return items.as_many(some=False)
        outcomes = [
            truth(item if predicate is None else interpreter.call(predicate, [item], {}))
            for item in items.listed
        ]
        return _chosen(items, [None if outcome is None else not outcome for outcome in outcomes])

    return filterfalse


def _compress(interpreter: Interpreter) -> Native:
    def compress(data: Any, selectors: Any) -> Any:
        items, chosen = items_of(interpreter, data), items_of(interpreter, selectors)
        if items.listed is None or chosen.listed is None:
            return AbstractSequence(items.item)
        return _chosen(items, [truth(each) for each in chosen.listed])

    return compress


def _chosen(items: Items, outcomes: Sequence[bool | None]) -> Any:
    if None in outcomes:
        return AbstractSequence(items.item)
    return Cursor([item for item, outcome in zip(items.listed or (), outcomes, strict=False) if outcome])


def _groupby(interpreter: Interpreter) -> Native:
    def groupby(iterable: Any, key: Any = None) -> Any:
        items = items_of(interpreter, iterable)
        keys = [item if key is None else interpreter.call(key, [item], {}) for item in items.to_join()]
        plain = all(type(each) in PLAIN for each in keys) and not arrays.holds_unknown(keys)
        if items.listed is None or not plain:
            return AbstractSequence((Items(keys).item, AbstractSequence(items.item, True)), items.some)
        groups: list[tuple[Any, list[Any]]] = []
        for each, item in zip(keys, items.listed, strict=True):
            if groups and groups[-1][0] == each:
                groups[-1][1].append(item)
            else:
                groups.append((each, [item]))
        return Cursor([(each, Cursor(group)) for each, group in groups])

    return groupby


def _zip_longest(interpreter: Interpreter) -> Native:
    def zip_longest(*several: Any, fillvalue: Any = None) -> Any:
        columns = [items_of(interpreter, each) for each in several]
        known = all_listed(columns)
        if known is None:
            return AbstractSequence(
                tuple(join_all([column.item, fillvalue]) for column in columns),
                any(column.some for column in columns),
            )
        return Cursor([*itertools.zip_longest(*known, fillvalue=fillvalue)])

    return zip_longest


def _pairwise(interpreter: Interpreter) -> Native:
    def pairwise(iterable: Any) -> Any:
        items = items_of(interpreter, iterable)
        listed = items.listed
        return (
            AbstractSequence((items.item,) * 2) if listed is None else Cursor([*itertools.pairwise(listed)])
        )

    return pairwise


def _batched(interpreter: Interpreter) -> Native:
    def batched(iterable: Any, n: Any, **_: Any) -> Any:
        items = items_of(interpreter, iterable)
        listed = items.listed
        if listed is None or type(n) is not int or n < 1:
            return AbstractSequence(AbstractSequence(items.item, True, tuple), items.some)
        return Cursor([tuple(listed[i : i + n]) for i in range(0, len(listed), n)])

    return batched


def _product(interpreter: Interpreter) -> Native:
    def product(*several: Any, repeat: Any = 1) -> Any:
        columns = [items_of(interpreter, each) for each in several]
        if type(repeat) is not int or repeat * len(columns) > MOST_ITEMS:
            return AbstractSequence(UNKNOWN)
        columns *= repeat
        known = all_listed(columns)
        if known is not None and math.prod(map(len, known)) <= MOST_ITEMS:
            return Cursor([*itertools.product(*known)])
        return AbstractSequence(
            tuple(column.item for column in columns), all(column.some for column in columns)
        )

    return product


def _arranged(name: str, count: Callable[[int, int], int]) -> Callable[[Interpreter], Native]:
    """``combinations`` and the like, of which there are so `many` for a length and a number of items."""
    real = getattr(itertools, name)

    def make(interpreter: Interpreter) -> Native:
        def arranged(iterable: Any, r: Any = None) -> Any:
            items = items_of(interpreter, iterable)
            listed = items.listed
            length = r if r is not None or listed is None else len(listed)
            if type(length) is not int or length < 0:
                return AbstractSequence(UNKNOWN)
            if listed is not None and length <= MOST_ITEMS and count(len(listed), length) <= MOST_ITEMS:
                return Cursor([*real(listed, length)])
            return AbstractSequence((items.item,) * length if length <= MOST_ITEMS else UNKNOWN)

        return arranged

    return make


FUNCTIONS: dict[str, Callable[[Interpreter], Native]] = {
    f"itertools.{name}": make
    for name, make in {
        "accumulate": _accumulate,
        "batched": _batched,
        "chain": _chain,
        "combinations": _arranged("combinations", math.comb),
        "combinations_with_replacement": _arranged(
            "combinations_with_replacement", lambda n, r: math.comb(n + r - 1, r) if n else 0
        ),
        "compress": _compress,
        "count": _count,
        "cycle": _cycle,
        "dropwhile": _while(False),
        "filterfalse": _filterfalse,
        "groupby": _groupby,
        "islice": _islice,
        "pairwise": _pairwise,
        "permutations": _arranged("permutations", math.perm),
        "product": _product,
        "repeat": _repeat,
        "starmap": _starmap,
        "takewhile": _while(True),
        "zip_longest": _zip_longest,
    }.items()
}
