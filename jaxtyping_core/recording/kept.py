"""Which calls of a function are kept, so that a few show all that varies.

The first `PLENTY` different calls are kept. After those, a call is kept where it shows something new: another form (what
is left of a call without its numbers), a number at a place of which fewer than `VALUES` are known, or two places that
differ though they were the same in all calls before. A call that shows nothing new counts as one of the same form.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jaxtyping_core.recording.observed import Array, Call, Cut, Dict, Items, Object, Observed, Scalar

PLENTY = 64
VALUES = 8
#: How many calls are kept at most; one more, in which nothing was looked at, stands for all that are not.
MOST = 512

_CUT = Cut()


class Kept:
    """The calls of one function that are kept; `before` are those of earlier runs."""

    def __init__(self, before: Iterable[Call] = ()) -> None:
        self._calls: set[Call] = set()
        self._forms: dict[Any, _Form] = {}
        for call in before:
            self._add(call)

    @property
    def full(self) -> bool:
        """Whether so many are kept that only what is new matters."""
        return len(self._calls) >= PLENTY

    def keep(self, call: Call) -> tuple[Call, bool]:
        """The call that a call counts as, itself or another one; and whether that is kept since now."""
        if call in self._calls:
            return call, False
        before = len(self._calls)
        counted = self._add(call)
        return counted, len(self._calls) > before

    def varying(self) -> frozenset[str | None]:
        """The arguments, and None for the result, that are ints of many values."""
        values: dict[str | None, set[object]] = {}
        for call in self._calls:
            for name, value in (*call.arguments, (None, call.returned)):
                if type(value) is Scalar and value.kind == "int":
                    values.setdefault(name, set()).add(value.value)
        return frozenset(name for name, seen in values.items() if len(seen) > PLENTY // 4)

    def _add(self, call: Call) -> Call:
        key, numbers = _split(call)
        form = self._forms.get(key)
        is_new = form is None
        if form is None:
            form = self._forms[key] = _Form(call, len(numbers))
        is_new |= form.learn(numbers)
        if self.full and not is_new:
            return form.first
        if len(self._calls) >= MOST:
            call = Call(tuple((name, _CUT) for name, _ in call.arguments), _CUT)
        self._calls.add(call)
        return call


class _Form:
    """Calls that differ in numbers alone: what is known of each place of a number."""

    __slots__ = ("_same", "_values", "first")

    def __init__(self, first: Call, places: int) -> None:
        self.first = first
        self._values: list[set[object]] = [set() for _ in range(places)]
        #: Places with the same number here had equal numbers in all calls.
        self._same = [0] * places

    def learn(self, numbers: list[object]) -> bool:
        """Take in the numbers of a call; whether they show something new."""
        is_new = False
        for values, number in zip(self._values, numbers, strict=True):
            if len(values) < VALUES and number not in values:
                values.add(number)
                is_new = True
        classes: dict[tuple[int, object], int] = {}
        same = [classes.setdefault(pair, len(classes)) for pair in zip(self._same, numbers, strict=True)]
        if len(classes) > len(set(self._same)):
            self._same = same
            is_new = True
        return is_new


def _split(call: Call) -> tuple[Any, list[object]]:
    """A call without its numbers, and these, in their order."""
    numbers: list[object] = []
    form = tuple((name, _form(value, numbers)) for name, value in call.arguments)
    return (form, None if call.returned is None else _form(call.returned, numbers)), numbers


def _form(value: Observed, numbers: list[object]) -> Any:
    match value:
        case Array(dtype, dims, weak, library):
            numbers += dims
            return (dtype, len(dims), weak, library)
        case Scalar("int", number):
            numbers.append(number)
            return "int"
        case Scalar(kind, number):
            return (kind, number)
        case Items(kind, items, name, names):
            return (kind, name, names, *(_form(item, numbers) for item in items))
        case Dict(keys, items, name):
            return (keys, name, *(_form(item, numbers) for item in items))
        case Object(name, names, items, called):
            return (name, names, called, *(_form(item, numbers) for item in items))
        case _:
            return value
