"""The walks of functions that nothing calls, kept for the next evaluation: an edit of one function leaves most as they were.

A walk gives the same again where all is the same that it has read of what was there before it; `reading` tells that.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .facts import Entry, Fact, Place
from .language import assumptions
from .libraries.calls.memo import options
from .reading import ReadSet
from .units import StableLocation, Unclear
from .unresolved import Told
from .values.callables import Function

if TYPE_CHECKING:
    from .interpreter import Interpreter

#: Functions of which walks are kept, and walks of one function.
MOST_FUNCTIONS, MOST_WALKS = 20_000, 4
#: How a note says where something is: it is not the same after an edit.
WITH_LINE = re.compile(r":\d+:")
#: An entry, with the spot of the call in place of its line.
KeptEntry = tuple[str, StableLocation | None]


@dataclass
class Walk:
    """What one walk has read, and what it has seen."""

    reads: dict[tuple[str, str], Any]
    facts: list[tuple[StableLocation, str, KeptEntry, Fact]]
    called: list[StableLocation]
    reached: list[StableLocation]
    unresolved: Told
    notes: dict[str, str]
    steps: int


#: The walks of this process, by the function and what else it depends on.
_kept: dict[Any, list[Walk]] = {}


def key_of(interpreter: Interpreter, function: Function, kind: str, is_checked: bool) -> Any:
    """What the walk of a function depends on besides what it reads; None where that cannot be written."""
    if function.contexts:
        return None
    try:
        reading = ReadSet(interpreter)
        of_function = reading.of_function(function), function.cls and reading.written(function.cls)
        declared = assumptions.written(interpreter, function)
    except Unclear:
        return None
    roots = tuple(sorted(interpreter.libraries.roots))
    of_run = interpreter.option_defaults.are_assumed, interpreter.files.digest, interpreter.observed.digest
    declared = declared, repr(interpreter.cases.of(interpreter, function)), interpreter.wants_errors_alone
    return kind, is_checked, of_function, declared, options(), roots, of_run


def keep(key: Any, walk: Walk) -> None:
    """Keep a walk; the oldest of a function, and of all functions, are dropped."""
    walks = _kept.pop(key, [])
    _kept[key] = [walk, *walks[: MOST_WALKS - 1]]
    if len(_kept) > MOST_FUNCTIONS:
        del _kept[next(iter(_kept))]


def kept(interpreter: Interpreter, key: Any) -> Walk | None:
    """A walk that is kept under this key, and that would go now as it did."""
    return next((walk for walk in _kept.get(key, ()) if _holds(interpreter, walk)), None)


def _holds(interpreter: Interpreter, walk: Walk) -> bool:
    """Whether all that a walk has read is now as it was then."""
    reading = ReadSet(interpreter)
    spots = {
        *walk.called,
        *(spot for spot, *_ in walk.facts),
        *(spot for _, _, (_, spot), _ in walk.facts if spot),
    }
    try:
        return all(reading.now(name) == written for name, written in walk.reads.items()) and all(
            interpreter.units.has(spot) for spot in spots
        )
    except Unclear:
        return False


def replay(interpreter: Interpreter, walk: Walk) -> None:
    """Have the interpreter see what a walk has seen."""
    interpreter.budget.steps += walk.steps - 1
    interpreter.budget.step()
    interpreter.called.update(interpreter.units.function_at(spot) for spot in walk.called)
    interpreter.unresolved.reached.update(interpreter.units.function_at(spot) for spot in walk.reached)
    interpreter.unresolved.take(walk.unresolved)
    for note in walk.notes.items():
        interpreter.diagnostics.note(*note)
    for spot, name, (kind, call), fact in walk.facts:
        entry = Entry(kind) if call is None else Entry(kind, *interpreter.units.place_of(call)[:2])
        interpreter.facts.add(Place(*interpreter.units.place_of(spot), name), entry, fact)


def spot_of(interpreter: Interpreter, place: Place) -> StableLocation:
    """Where a place is, wherever edits move it."""
    return interpreter.units.spot_of_place(place.file, place.line, place.column)


def entry_of(interpreter: Interpreter, entry: Entry) -> KeptEntry:
    """An entry, wherever edits move its call."""
    spot = interpreter.units.spot_of_place(entry.file, entry.line, 0) if entry.file else None
    return entry.kind, spot
