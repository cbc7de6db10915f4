"""The functions that nothing calls: each is walked for arguments of which nothing is known, and the walk is kept.

An evaluation that follows an edit of one function meets nearly all others as they were. A walk gives the same again where
all is the same that it has read of what was there before it; `reading` tells that. So that nothing else matters, each walk begins
without what other walks have tried. What it sees of the function holds of every call of it, and what it sees of those that
are called from there counts only where the program does not call them itself.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..identity import identity
from ..sampling.tables.sizes import CONFIRMING_DECLARED
from . import declared_checks, scopes
from .control import Control, Exhausted, Frame, Raised
from .facts import CALLED, DECLARED, NEVER_CALLED, Entry, Fact, Facts, Place
from .language import assumptions
from .language.functions import invoke
from .libraries.memo import options
from .reading import Reading
from .units import Spot, Unclear
from .unresolved import Unresolved
from .values import arrays
from .values.callables import REST, Function

if TYPE_CHECKING:
    from .interpreter import Machine

#: Steps of the walk of a function that nothing calls: loops within loops, each of any length, take many.
MOST_STEPS_ALONE = 40_000
#: Functions of which walks are kept, and walks of one function.
MOST_FUNCTIONS, MOST_WALKS = 20_000, 4
#: How a note says where something is: it is not the same after an edit.
WITH_LINE = re.compile(r":\d+:")


#: An entry, with the spot of the call in place of its line.
KeptEntry = tuple[str, Spot | None]


@dataclass
class Walk:
    """What one walk has read, and what it has seen."""

    reads: dict[tuple[str, str], Any]
    facts: list[tuple[Spot, str, KeptEntry, Fact]]
    called: list[Spot]
    reached: list[Spot]
    #: The names and the classes of `Unresolved`.
    unresolved: tuple[set[str], set[str]]
    notes: list[str]
    steps: int


@dataclass
class Seen:
    """What a walk has seen, of which the machine has no more."""

    facts: Facts
    unresolved: Unresolved
    notes: dict[str, None]
    called: set[int]
    reached: set[int]


#: The walks of this process, by the function and what else it depends on.
_kept: dict[Any, list[Walk]] = {}


def call_the_rest(machine: Machine) -> None:
    """Walk the functions that nothing has called, or look up what that gives: first those that the program may call."""
    rest = Rest(machine)
    while functions := machine.unresolved.functions():
        for function in functions:
            rest.see(function, CALLED)
    # From here on, what the program itself does is known: if the time ends, that stays so.
    for is_meant in (_declares, _is_uncalled):
        for function in list(machine.functions.values()):
            if machine.budget.is_over:
                _leave_out(machine, "functions that nothing calls")
                return
            if is_meant(machine, function):
                rest.see_alone(function)


def _declares(machine: Machine, function: Function) -> bool:
    return assumptions.is_at_top_level(function) and assumptions.declares_arrays(machine, function)


def _is_uncalled(machine: Machine, function: Function) -> bool:
    return identity(function.node) not in machine.called and not isinstance(function.node, ast.Lambda)


def _leave_out(machine: Machine, what: str) -> None:
    note = f"{what}: left out, because it takes too long to evaluate"
    machine.diagnostics.note(note)
    machine.diagnostics.lost[note] = None


class Rest:
    """Walks of functions that nothing has called."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        #: The unknown sizes that are in what was there before a walk.
        self.sizes = arrays.unknown_sizes()

    def see(self, function: Function, kind: str) -> None:
        """What a walk of a function sees that is entered in this way."""
        # A function that the program calls is judged by these calls: what it declares may be more general than it means.
        is_checked = (
            kind == DECLARED
            and identity(function.node) not in self.machine.reached
            and _declares(self.machine, function)
        )
        key = _key(self.machine, function, kind, is_checked)
        known = next((walk for walk in _kept.get(key, ()) if _holds(self.machine, walk)), None)
        if known is not None:
            _replay(self.machine, known)
            return
        arrays.count_unknown_sizes_from(self.sizes)
        walk, has_effects = _walked(self.machine, function, kind, is_checked)
        if has_effects:  # what the walk has left may have sizes that it has made
            self.sizes = arrays.unknown_sizes()
        if walk is not None and key is not None:
            _keep(key, walk)

    def see_alone(self, function: Function) -> None:
        """As `see`, of what a function declares, or of one that nothing calls. Where that takes too long, nothing is known of it.

        Raises:
            Exhausted: the evaluation was cancelled.
        """
        machine, frames = self.machine, len(self.machine.frames)
        try:
            with machine.budget.apart(), machine.budget.at_most(steps=MOST_STEPS_ALONE):
                self.see(function, DECLARED)
        except Exhausted:
            if machine.budget.is_stopped():
                raise
            del machine.frames[frames:]
            self.sizes = arrays.unknown_sizes()
            if not machine.budget.is_over:
                _leave_out(machine, f"{function.scope.module.path}:{function.node.lineno}")


def _key(machine: Machine, function: Function, kind: str, is_checked: bool) -> Any:
    """What the walk of a function depends on besides what it reads; None where that cannot be written."""
    try:
        reading = Reading(machine)
        of_function = reading.of_function(function), function.cls and reading.written(function.cls)
        declared = assumptions.written(machine, function)
    except Unclear:
        return None
    roots = tuple(sorted(machine.libraries.roots))
    return kind, is_checked, of_function, declared, options(), roots, machine.expressions


def _keep(key: Any, walk: Walk) -> None:
    walks = _kept.pop(key, [])
    _kept[key] = [walk, *walks[: MOST_WALKS - 1]]
    if len(_kept) > MOST_FUNCTIONS:
        del _kept[next(iter(_kept))]


def _holds(machine: Machine, walk: Walk) -> bool:
    """Whether all that a walk has read is now as it was then."""
    reading = Reading(machine)
    spots = {
        *walk.called,
        *(spot for spot, *_ in walk.facts),
        *(spot for _, _, (_, spot), _ in walk.facts if spot),
    }
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
    machine.reached.update(machine.units.function_at(spot) for spot in walk.reached)
    machine.unresolved.take(*walk.unresolved)
    for note in walk.notes:
        machine.diagnostics.note(note)
    for spot, name, (kind, call), fact in walk.facts:
        entry = Entry(kind) if call is None else Entry(kind, *machine.units.place_of(call)[:2])
        machine.facts.add(Place(*machine.units.place_of(spot), name), entry, fact)


def _walked(machine: Machine, function: Function, kind: str, is_checked: bool) -> tuple[Walk | None, bool]:
    """Walk a function, and check it against what it declares; what that has read and seen, if it is to be kept, and whether it has changed what was there before."""
    steps = machine.budget.steps
    reading, before = Reading(machine), _variables(machine)
    is_wrong = False
    with _alone(machine) as seen:
        scopes.Watch.reading = reading
        try:
            _walk(machine, function, kind)
            is_wrong = is_checked and declared_checks.check(machine, function)
        finally:
            scopes.Watch.reading = None
    has_effects = not _is_same(before, _variables(machine)) or not reading.is_as_read()
    # The lines of an error are not kept.
    if has_effects or is_wrong or not reading.is_clear or any(map(WITH_LINE.search, seen.notes)):
        return None, has_effects
    try:
        facts = [
            (_spot(machine, place), place.name, _entry(machine, entry), fact)
            for place, facts in seen.facts.places.items()
            for entry, fact in facts.items()
        ]
        called, reached = (
            [machine.units.spot_of_function(node) for node in nodes] for nodes in (seen.called, seen.reached)
        )
    except Unclear:
        return None, False
    steps = machine.budget.steps - steps
    unresolved = seen.unresolved.names, seen.unresolved.classes
    return Walk(reading.reads, facts, called, reached, unresolved, [*seen.notes], steps), False


def _spot(machine: Machine, place: Place) -> Spot:
    return machine.units.spot_of_place(place.file, place.line, place.column)


def _entry(machine: Machine, entry: Entry) -> KeptEntry:
    spot = machine.units.spot_of_place(entry.file, entry.line, 0) if entry.file else None
    return entry.kind, spot


def _walk(machine: Machine, function: Function, kind: str) -> None:
    module = function.scope.module
    around = Entry(CALLED if kind == CALLED else NEVER_CALLED)
    frame = Frame(module.scope, "<uncalled>", module.path, 0, entry=around)
    machine.frames.append(frame)
    try:
        with machine.within(speculative=True):
            _calls(machine, function, kind)
            if any(type(dim) is str for dim in machine.facts.dims()):
                for numbers in CONFIRMING_DECLARED:
                    _confirm(machine, function, kind, assumptions.Sizes(itertools.cycle(numbers)))
    finally:
        machine.frames.pop()


def _calls(machine: Machine, function: Function, kind: str, sizes: assumptions.Sizes | None = None) -> None:
    """Make the calls of a function that stand for all, and of those in it that declare arrays, too."""
    for arguments in assumptions.calls(machine, function, sizes):
        known = set(machine.functions)
        _call(machine, function, arguments, kind)
        for inner in assumptions.inner(machine, function, known):
            for more in assumptions.calls(machine, inner, sizes, function):
                _call(machine, inner, more, kind)


def _confirm(machine: Machine, function: Function, kind: str, sizes: assumptions.Sizes) -> None:
    """Keep of the facts what holds for numbers, too: to JAX, a symbol is neither 1 nor the same as another one."""
    seen, notes = Facts(), dict(machine.diagnostics.notes)
    try:
        with machine.seeing(seen):
            _calls(machine, function, kind, sizes)
    finally:
        machine.diagnostics.notes = notes
    machine.facts.confirm(seen, dict(sizes))


def _call(machine: Machine, function: Function, arguments: dict[str, Any], kind: str) -> None:
    """Walk a function with some arguments; of the others nothing is known."""
    try:
        invoke(machine, function, [REST], {**arguments, "**": REST}, entry=Entry(kind))
    except Exhausted:
        raise
    except (Raised, Control):
        pass


@contextmanager
def _alone(machine: Machine) -> Iterator[Seen]:
    """What is seen within, apart from what was seen before; afterwards the machine has both."""
    facts, unresolved, notes = machine.facts, machine.unresolved, machine.diagnostics.notes
    called, reached = machine.called, machine.reached
    own = Seen(Facts(), Unresolved(machine), {}, set(), set())
    is_whole = False
    machine.facts, machine.unresolved, machine.diagnostics.notes = own.facts, own.unresolved, own.notes
    machine.called, machine.reached = own.called, own.reached
    machine.escaped, machine.drawn = set(), {}
    try:
        yield own
        is_whole = True
    finally:
        own.notes = machine.diagnostics.notes  # also another dict takes its place
        machine.facts, machine.unresolved, machine.diagnostics.notes = facts, unresolved, notes
        machine.called, machine.reached = called | own.called, reached | own.reached
        machine.unresolved.take(own.unresolved.names, own.unresolved.classes)
        for note in own.notes:
            machine.diagnostics.note(note)
        if is_whole:  # more rounds of a loop might have said otherwise
            facts.take(own.facts)


def _variables(machine: Machine) -> dict[str, dict[str, Any]]:
    return {name: dict(module.scope.variables) for name, module in machine.modules.items()}


def _is_same(before: dict[str, dict[str, Any]], now: dict[str, dict[str, Any]]) -> bool:
    """Whether all modules have the same variables that hold the same objects."""
    return before.keys() == now.keys() and all(
        held.keys() == now[name].keys() and all(value is now[name][each] for each, value in held.items())
        for name, held in before.items()
    )
