"""The functions that nothing calls: each is walked for arguments of which nothing is known, and the walk is kept.

An evaluation that follows an edit of one function meets nearly all others as they were: `kept_walks` has what gives the same
again. So that nothing else matters, each walk begins without what other walks have tried. What it sees of the function holds of every call of it, and what it sees of those that
are called from there counts only where the program does not call them itself.
"""

from __future__ import annotations

import ast
import collections
import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import jax

from ..identity import identity
from ..sampling.tables.sizes import CONFIRMING_DECLARED
from . import case_checks, declared_checks, kept_walks, scopes
from .case_shares import CaseShares, leave_out
from .control import Control, Exhausted, Frame, RaisedException
from .facts import CALLED, DECLARED, NEVER_CALLED, Entry, Facts
from .kept_parts import NOT_WALKED, Contradiction
from .kept_walks import WITH_LINE, Walk, entry_of, spot_of
from .language import assumptions
from .language.functions import invoke
from .language.with_statements import from_outside
from .libraries.calls.memo import X64
from .reading import ReadSet
from .units import Unclear
from .unresolved import Unresolved
from .values import arrays
from .values.callables import STAR_ARGS, Function

if TYPE_CHECKING:
    from .interpreter import Interpreter

#: Steps of the walk of a function that nothing calls: loops within loops, each of any length, take many.
MOST_STEPS_ALONE = 40_000
#: What such a function may take of the time that is left, where each function that follows it has one part.
SHARE_OF_FUNCTION = 20
#: What those that the program may call take of the time where only errors are wanted: they tell what is not checked alone.
SHARE_OF_CALLED = 0.25


@dataclass
class Seen:
    """What a walk has seen, of which the interpreter has no more."""

    facts: Facts
    unresolved: Unresolved
    notes: dict[str, str]
    called: set[int]


def analyze_entry_points(interpreter: Interpreter, entries: Sequence[Unresolved], x64: bool) -> None:
    """Walk the functions that nothing has called, or look up what that gives: first those that the program may call.

    Args:
        entries: what each entry may call that is a program of its own, if there are several.
        x64: whether there are 64-bit types where the walk has met no switch.
    """
    rest = UncalledFunctions(interpreter)
    least = interpreter.budget.seconds_left * (1 - SHARE_OF_CALLED)
    together = interpreter.unresolved
    for entry in entries:
        interpreter.unresolved = entry
        _see_what_may_be_called(interpreter, rest, least, entry.settings(x64))
    settings = {each for entry in entries for each in entry.switches or [x64]}
    for entry in entries:
        together.take_all(entry)
    interpreter.unresolved = together
    settings = settings or {*(together.switches or [x64])}
    _see_what_may_be_called(interpreter, rest, least, sorted(settings | together.widths))
    # From here on, what the program itself does is known: if the time ends, that stays so.
    # What nothing is declared of has facts, and no errors: its arguments are made up.
    for is_meant in (_is_checked,) if interpreter.wants_errors_alone else (_declares, _is_uncalled):
        if not _see_all(rest, is_meant, sorted(settings)):
            return


def analyze_cases(interpreter: Interpreter) -> None:
    """Check those functions whose calls are known by themselves: the program was not walked to its end."""
    _see_all(UncalledFunctions(interpreter), _has_cases, [jax.config.jax_enable_x64])


def _see_all(
    rest: UncalledFunctions, is_meant: Callable[[Interpreter, Function], bool], settings: Sequence[bool]
) -> bool:
    """Walk the functions of this evaluation that are meant, each in its share of the time; whether that was enough.

    Args:
        settings: whether there are 64-bit types then; both, if there may be.
    """
    interpreter, parts = rest.interpreter, rest.interpreter.parts
    own = [
        function
        for function in interpreter.functions.values()
        if function.scope.module.path not in interpreter.elsewhere
    ]
    if not parts.absent.keys().isdisjoint(function.scope.module.path for function in own):
        raise Contradiction
    names = _part_names(interpreter, own)
    absent = [(path, name) for path, checks in parts.absent.items() for name in checks]
    cases = CaseShares(interpreter, sum(_has_cases(interpreter, function) for function in own) + len(absent))
    for number, function in enumerate(own, 1):
        if interpreter.budget.is_over:
            leave_out(interpreter, "functions that nothing calls")
            return False
        if not is_meant(interpreter, function):
            continue
        before, file = interpreter.budget.seconds_left, function.scope.module.path
        seconds = _share(before, len(own) - number)
        is_case = interpreter.wants_errors_alone and _has_cases(interpreter, function)
        if is_case:
            seconds = min(seconds, cases.share)
        is_seen = seconds > 0
        if not is_seen:
            parts.checked(file, NOT_WALKED)
        for setting in settings if is_seen else ():
            jax.config.update(X64, setting)
            limit = seconds / len(settings)
            name = names.get(identity(function))
            name = name and f"{name} {setting} {_is_checked(interpreter, function)}"
            parts.checked(file, name)
            is_seen &= parts.take(name, limit, functools.partial(rest.see_alone, function, DECLARED, limit))
        if is_case:
            cases.seen(file, is_seen, before)
        elif not (is_seen or interpreter.budget.is_over):
            leave_out(interpreter, f"{file}:{function.node.lineno}")
    for path, name in absent:
        before = interpreter.budget.seconds_left
        parts.checked(path, name)
        cases.seen(path, parts.take(name, 0.0, _is_there), before)
    cases.tell()
    return True


def _is_there() -> bool:
    raise Contradiction


def _part_names(interpreter: Interpreter, functions: Sequence[Function]) -> dict[int, str]:
    """The names of the parts that walk functions of top levels: a module that is imported, and run as well, has each twice."""
    names: dict[int, str] = {}
    times = collections.Counter[int]()
    for function in functions:
        number = interpreter.parts.number_of(function)
        if number is not None:
            times[number] += 1
            names[identity(function)] = f"{number} {times[number]}"
    return names


def _see_what_may_be_called(
    interpreter: Interpreter, rest: UncalledFunctions, least: float, settings: Sequence[bool]
) -> None:
    """Walk the functions that the program may call, and those that these may call.

    Args:
        least: the seconds that stay for others.
        settings: whether there are 64-bit types then; both, if there may be.
    """
    while calls := _calls_out_of_sight(interpreter, settings):
        for number, (function, setting) in enumerate(calls, 1):
            jax.config.update(X64, setting)
            if not interpreter.wants_errors_alone:
                rest.see(function, CALLED)
                continue
            seconds = _share(interpreter.budget.seconds_left - least, len(calls) - number)
            if seconds <= 0 or not rest.see_alone(function, CALLED, seconds):
                interpreter.unresolved.reached.add(identity(function.node))
                interpreter.unresolved.skips(function.node)
                interpreter.parts.may_be_kept = False


def _calls_out_of_sight(interpreter: Interpreter, settings: Sequence[bool]) -> list[tuple[Function, bool]]:
    """The functions that the program may call and was not seen to call, with each setting in which it may."""
    unresolved = interpreter.unresolved
    functions = [(function, setting) for function in unresolved.functions() for setting in settings]
    return functions + [
        (function, setting) for setting in settings for function in unresolved.with_other_width(setting)
    ]


def _share(seconds: float, following: int) -> float:
    """What one function may take of some time."""
    return seconds * SHARE_OF_FUNCTION / (following + SHARE_OF_FUNCTION)


def _declares(interpreter: Interpreter, function: Function) -> bool:
    return assumptions.is_at_top_level(function) and assumptions.declares_arrays(interpreter, function)


def _is_checked(interpreter: Interpreter, function: Function) -> bool:
    """Whether a function is to be as it declares. What the program calls is judged by these calls: it may declare more than it means."""
    if identity(function.node) in interpreter.unresolved.reached:
        return False
    return _has_cases(interpreter, function) or _declares(interpreter, function)


def _has_cases(interpreter: Interpreter, function: Function) -> bool:
    return bool(interpreter.cases.of(interpreter, function))


def _is_uncalled(interpreter: Interpreter, function: Function) -> bool:
    node = function.node
    if isinstance(node, ast.Lambda) or identity(node) in interpreter.called:
        return False
    is_meant = not interpreter.wants_annotated_alone or _is_annotated(node)
    interpreter.left_out = interpreter.left_out or not is_meant
    return is_meant


def _is_annotated(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether anything is annotated in a function's signature: type checkers look at the bodies of such functions alone."""
    of_all = node.args
    others = filter(None, (of_all.vararg, of_all.kwarg))
    arguments = (*of_all.posonlyargs, *of_all.args, *of_all.kwonlyargs, *others)
    return node.returns is not None or any(argument.annotation is not None for argument in arguments)


class UncalledFunctions:
    """Walks of functions that nothing has called."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        #: The unknown sizes that are in what was there before a walk.
        self.sizes = arrays.unknown_sizes()

    def see(self, function: Function, kind: str) -> None:
        """What a walk of a function sees that is entered in this way."""
        is_checked = kind == DECLARED and _is_checked(self.interpreter, function)
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
