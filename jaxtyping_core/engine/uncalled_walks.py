"""Walks of the functions that nothing calls. Their arguments are unknown, and each walk is kept.

An evaluation that follows an edit of one function meets nearly all others as they were: `kept_walks` has what gives the same
again. So that nothing else matters, each walk begins without what other walks have tried. What it sees of the function holds of every call of it, and what it sees of those that
are called from there counts only where the program does not call them itself.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..sampling.tables.sizes import CONFIRMING_DECLARED
from . import case_checks, declared_checks, kept_walks, scopes
from .control import Control, Exhausted, Frame, RaisedException
from .facts import CALLED, DECLARED, NEVER_CALLED, Entry, Facts
from .kept_walks import WITH_LINE, Walk, entry_of, spot_of
from .language import assumptions
from .language.functions import invoke
from .language.with_statements import from_outside
from .reading import ReadSet
from .units import Unclear
from .unresolved import Unresolved
from .values import arrays
from .values.callables import STAR_ARGS, Function

if TYPE_CHECKING:
    from .interpreter import Interpreter
from .uncalled_choice import may_be_checked

#: Steps of the walk of a function that nothing calls: loops within loops, each of any length, take many.
MOST_STEPS_ALONE = 40_000


@dataclass
class Seen:
    """What a walk has seen, of which the interpreter has no more."""

    facts: Facts
    unresolved: Unresolved
    notes: dict[str, str]
    called: set[int]


class UncalledFunctions:
    """Walks of functions that nothing has called."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        #: The unknown sizes that are in what was there before a walk.
        self.sizes = arrays.unknown_sizes()

    def see(self, function: Function, kind: str) -> None:
        """What a walk of a function sees that is entered in this way."""
        is_checked = kind == DECLARED and may_be_checked(self.interpreter, function)
        are_kept = not self.interpreter.parts.are_kept  # which takes what a part gives as a whole
        key = kept_walks.key_of(self.interpreter, function, kind, is_checked) if are_kept else None
        known = kept_walks.kept(self.interpreter, key)
        if known is not None:
            kept_walks.replay(self.interpreter, known)
            return
        arrays.count_unknown_sizes_from(self.sizes)
        walk, has_effects = _walked(self.interpreter, function, kind, is_checked)
        if has_effects:  # what the walk has left may have sizes that it has made
            self.sizes = arrays.unknown_sizes()
        if walk is not None and key is not None:
            kept_walks.keep(key, walk)

    def see_alone(self, function: Function, kind: str, seconds: float) -> bool:
        """As `see`, of a function that others do not depend on. If that takes longer, nothing is known of it; whether it does not.

        Raises:
            Exhausted: the evaluation was cancelled.
        """
        interpreter, frames = self.interpreter, len(self.interpreter.frames)
        try:
            with interpreter.budget.apart(), interpreter.budget.at_most(seconds, MOST_STEPS_ALONE):
                self.see(function, kind)
        except Exhausted:
            if interpreter.budget.is_stopped():
                raise
            del interpreter.frames[frames:]
            self.sizes = arrays.unknown_sizes()
            return False
        return True


def _walked(
    interpreter: Interpreter, function: Function, kind: str, is_checked: bool
) -> tuple[Walk | None, bool]:
    """Walk a function, and check it against what it declares; what that has read and seen, if it is to be kept, and whether it has changed what was there before."""
    steps, taken = interpreter.budget.steps, interpreter.observed.taken
    reading, before = ReadSet(interpreter), _variables(interpreter)
    is_wrong = False
    with _alone(interpreter) as seen:
        scopes.Watch.reading = reading
        try:
            if not (interpreter.wants_errors_alone and kind == DECLARED):
                _walk(interpreter, function, kind)
            is_wrong = is_checked and _check(interpreter, function)
        finally:
            scopes.Watch.reading = None
    has_effects = not _is_same(before, _variables(interpreter)) or not reading.is_as_read()
    # The lines of an error are not kept, nor which names hold something observed, nor what has got out of sight.
    if interpreter.observed.taken > taken or seen.unresolved.escaped or seen.unresolved.passed:
        return None, has_effects
    if has_effects or is_wrong or not reading.is_clear or any(map(WITH_LINE.search, seen.notes)):
        return None, has_effects
    try:
        facts = [
            (spot_of(interpreter, place), place.name, entry_of(interpreter, entry), fact)
            for place, facts in seen.facts.places.items()
            for entry, fact in facts.items()
        ]
        called, reached = (
            [interpreter.units.spot_of_function(node) for node in nodes]
            for nodes in (seen.called, seen.unresolved.reached)
        )
    except Unclear:
        return None, False
    steps = interpreter.budget.steps - steps
    told = seen.unresolved.told()
    return Walk(reading.reads, facts, called, reached, told, dict(seen.notes), steps), False


def _check(interpreter: Interpreter, function: Function) -> bool:
    """Report what is wrong in a function, by calls of which all is known, or by what it declares; whether that is anything."""
    if known := interpreter.cases.of(interpreter, function):
        return case_checks.check(interpreter, function, known)
    return declared_checks.check(interpreter, function)


def _walk(interpreter: Interpreter, function: Function, kind: str) -> None:
    module = function.scope.module
    around = Entry(CALLED if kind == CALLED else NEVER_CALLED)
    frame = Frame(module.scope, "<uncalled>", module.path, 0, entry=around)
    interpreter.frames.append(frame)
    try:
        with interpreter.within(speculative=True):
            _calls(interpreter, function, kind)
            if any(type(dim) is str for dim in interpreter.facts.dims()):
                for numbers in CONFIRMING_DECLARED:
                    _confirm(interpreter, function, kind, assumptions.Sizes(itertools.cycle(numbers)))
    finally:
        interpreter.frames.pop()


def _calls(
    interpreter: Interpreter, function: Function, kind: str, sizes: assumptions.Sizes | None = None
) -> None:
    """Make the calls of a function that stand for all, and of those in it that declare arrays, too."""
    for arguments in assumptions.calls(interpreter, function, sizes):
        known = set(interpreter.functions)
        _call(interpreter, function, arguments, kind)
        for inner in assumptions.inner(interpreter, function, known):
            for more in assumptions.calls(interpreter, inner, sizes, function):
                _call(interpreter, inner, more, kind)


def _confirm(interpreter: Interpreter, function: Function, kind: str, sizes: assumptions.Sizes) -> None:
    """Keep of the facts what holds for numbers, too: to JAX, a symbol is neither 1 nor the same as another one."""
    seen, notes = Facts(), dict(interpreter.diagnostics.notes)
    try:
        with interpreter.seeing(seen):
            _calls(interpreter, function, kind, sizes)
    finally:
        interpreter.diagnostics.notes = notes
    interpreter.facts.confirm(seen, dict(sizes))


def _call(interpreter: Interpreter, function: Function, arguments: dict[str, Any], kind: str) -> None:
    """Walk a function with some arguments; of the others nothing is known."""
    # Without an array that may be left out, what needs it fails: there the call ends.
    lacks_any = any(value is None for value in arguments.values())
    missing = interpreter.within(trying=True) if lacks_any else nullcontext()
    try:
        with from_outside(interpreter, function), missing:
            invoke(interpreter, function, [STAR_ARGS], {**arguments, "**": STAR_ARGS}, entry=Entry(kind))
    except Exhausted:
        raise
    except (RaisedException, Control):
        pass


@contextmanager
def _alone(interpreter: Interpreter) -> Iterator[Seen]:
    """What is seen within, apart from what was seen before; afterwards the interpreter has both."""
    facts, unresolved, notes = interpreter.facts, interpreter.unresolved, interpreter.diagnostics.notes
    called = interpreter.called
    own = Seen(Facts(), Unresolved(interpreter), {}, set())
    is_whole = False
    interpreter.facts, interpreter.unresolved, interpreter.diagnostics.notes = (
        own.facts,
        own.unresolved,
        own.notes,
    )
    interpreter.called = own.called
    interpreter.escaped_functions, interpreter.drawn = set(), {}
    try:
        yield own
        is_whole = True
    finally:
        own.notes = interpreter.diagnostics.notes  # also another dict takes its place
        interpreter.facts, interpreter.unresolved, interpreter.diagnostics.notes = facts, unresolved, notes
        interpreter.called = called | own.called
        unresolved.take_all(own.unresolved)
        for note in own.notes.items():
            interpreter.diagnostics.note(*note)
        if is_whole:  # more rounds of a loop might have said otherwise
            facts.merge(own.facts)


def _variables(interpreter: Interpreter) -> dict[str, dict[str, Any]]:
    return {name: dict(module.scope.variables) for name, module in interpreter.modules.items()}


def _is_same(before: dict[str, dict[str, Any]], now: dict[str, dict[str, Any]]) -> bool:
    """Whether all modules have the same variables that hold the same objects."""
    return before.keys() == now.keys() and all(
        held.keys() == now[name].keys() and all(value is now[name][each] for each, value in held.items())
        for name, held in before.items()
    )
