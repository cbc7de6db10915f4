"""The functions that nothing calls: each is walked for arguments of which nothing is known, and the walk is kept.

An evaluation that follows an edit of one function meets nearly all others as they were. A walk gives the same again where
all is the same that it has read of what was there before it; `reading` tells that. So that nothing else matters, each walk begins
without what other walks have tried.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import scopes
from .control import Control, Exhausted, Frame, Raised
from .facts import Fact, Facts, Place, common
from .language.functions import REST, Function, invoke
from .libraries.memory import options
from .reading import Reading
from .units import Spot, Unclear
from .values import arrays

if TYPE_CHECKING:
    from .machine import Machine

#: Functions of which walks are kept, and walks of one function.
MOST_FUNCTIONS, MOST_WALKS = 20_000, 4
#: How a note says where something is: it is not the same after an edit.
WITH_LINE = re.compile(r":\d+:")


@dataclass
class Walk:
    """What one walk has read, and what it has seen."""

    reads: dict[tuple[str, str], Any]
    places: dict[tuple[Spot, str], Fact]
    called: list[Spot]
    notes: list[str]
    steps: int


@dataclass
class Seen:
    """What a walk has seen, of which the machine has no more."""

    facts: Facts
    notes: dict[str, None]
    called: set[int]


#: The walks of this process, by the function and what else it depends on.
_kept: dict[Any, list[Walk]] = {}


def call_the_rest(machine: Machine) -> None:
    """Walk the functions that nothing has called, or look up what that gives."""
    first = arrays.unknown_sizes()
    for function in list(machine.functions.values()):
        if id(function.node) in machine.called or isinstance(function.node, ast.Lambda):
            continue
        key = _key(machine, function)
        known = next((walk for walk in _kept.get(key, ()) if _holds(machine, walk)), None)
        if known is not None:
            _replay(machine, known)
            continue
        arrays.count_unknown_sizes_from(first)
        walk, has_effects = _walked(machine, function)
        if has_effects:  # what the walk has left may have sizes that it has made
            first = arrays.unknown_sizes()
        if walk is not None and key is not None:
            _keep(key, walk)


def _key(machine: Machine, function: Function) -> Any:
    """What the walk of a function depends on besides what it reads; None where that cannot be written."""
    try:
        reading = Reading(machine)
        of_function = reading.of_function(function), function.cls and reading.written(function.cls)
    except Unclear:
        return None
    return of_function, options(), tuple(sorted(machine.libraries.roots))


def _keep(key: Any, walk: Walk) -> None:
    walks = _kept.pop(key, [])
    _kept[key] = [walk, *walks[: MOST_WALKS - 1]]
    if len(_kept) > MOST_FUNCTIONS:
        del _kept[next(iter(_kept))]


def _holds(machine: Machine, walk: Walk) -> bool:
    """Whether all that a walk has read is now as it was then."""
    reading = Reading(machine)
    spots = [*walk.called, *(spot for spot, _ in walk.places)]
    try:
        return all(reading.now(name) == written for name, written in walk.reads.items()) and all(
            machine.units.has(spot) for spot in spots
        )
    except Unclear:
        return False


def _replay(machine: Machine, walk: Walk) -> None:
    machine.budget.steps += walk.steps - 1
    machine.budget.step()
    machine.called.update(machine.units.function_at(spot) for spot in walk.called)
    for note in walk.notes:
        machine.diagnostics.note(note)
    for (spot, name), fact in walk.places.items():
        _add(machine.facts, Place(*machine.units.place_of(spot), name), fact)


def _add(facts: Facts, place: Place, fact: Fact) -> None:
    """Join a fact with what is known of its place."""
    before = facts.places.get(place)
    if before is None:
        facts.places[place] = Fact(fact.known, fact.calls)
    else:
        before.known = common(before.known, fact.known)
        before.calls += fact.calls


def _walked(machine: Machine, function: Function) -> tuple[Walk | None, bool]:
    """Walk a function; what that has read and seen, if it is to be kept, and whether it has changed what was there before."""
    steps = machine.budget.steps
    reading, before = Reading(machine), _variables(machine)
    with _alone(machine) as seen:
        scopes.Watch.reading = reading
        try:
            _walk(machine, function)
        finally:
            scopes.Watch.reading = None
    has_effects = not _is_same(before, _variables(machine)) or not reading.is_as_read()
    if has_effects or not reading.is_clear or any(map(WITH_LINE.search, seen.notes)):
        return None, has_effects
    try:
        places = {
            (machine.units.spot_of_place(place.file, place.line, place.column), place.name): fact
            for place, fact in seen.facts.places.items()
        }
        spots = [machine.units.spot_of_function(node) for node in seen.called]
    except Unclear:
        return None, False
    return Walk(reading.reads, places, spots, [*seen.notes], machine.budget.steps - steps), False


def _walk(machine: Machine, function: Function) -> None:
    module = function.scope.module
    machine.frames.append(Frame(module.scope, "<uncalled>", module.path, 0))
    try:
        with machine.within(speculative=True):
            invoke(machine, function, [REST], {"**": REST})
    except Exhausted:
        raise
    except (Raised, Control):
        pass
    finally:
        machine.frames.pop()


@contextmanager
def _alone(machine: Machine) -> Iterator[Seen]:
    """What is seen within, apart from what was seen before; afterwards the machine has both."""
    facts, notes, called = machine.facts, machine.diagnostics.notes, machine.called
    own = Seen(Facts(), {}, set())
    machine.facts, machine.diagnostics.notes, machine.called = own.facts, own.notes, own.called
    machine.escaped, machine.drawn = set(), {}
    try:
        yield own
    finally:
        own.notes = machine.diagnostics.notes  # also another dict takes its place
        machine.facts, machine.diagnostics.notes, machine.called = facts, notes, called | own.called
        for note in own.notes:
            machine.diagnostics.note(note)
        for place, fact in own.facts.places.items():
            _add(facts, place, fact)


def _variables(machine: Machine) -> dict[str, dict[str, Any]]:
    return {name: dict(module.scope.variables) for name, module in machine.modules.items()}


def _is_same(before: dict[str, dict[str, Any]], now: dict[str, dict[str, Any]]) -> bool:
    """Whether all modules have the same variables that hold the same objects."""
    return before.keys() == now.keys() and all(
        held.keys() == now[name].keys() and all(value is now[name][each] for each, value in held.items())
        for name, held in before.items()
    )
