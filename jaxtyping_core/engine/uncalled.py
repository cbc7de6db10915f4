"""Which functions are walked that nothing calls, in what order, and what each may take of the time."""

from __future__ import annotations

import collections
import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import jax

from ..identity import identity
from .case_shares import CaseShares, leave_out
from .facts import CALLED, DECLARED
from .kept_parts import NOT_WALKED, Contradiction
from .libraries.calls.memo import X64
from .unresolved import Unresolved
from .values.callables import Function

if TYPE_CHECKING:
    from .interpreter import Interpreter
from .uncalled_choice import declares, has_cases, is_uncalled, may_be_checked
from .uncalled_walks import UncalledFunctions

#: What such a function may take of the time that is left, where each function that follows it has one part.
SHARE_OF_FUNCTION = 20
#: What those that the program may call take of the time where only errors are wanted: they tell what is not checked alone.
SHARE_OF_CALLED = 0.25


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
    for is_meant in (may_be_checked,) if interpreter.wants_errors_alone else (declares, is_uncalled):
        if not _see_all(rest, is_meant, sorted(settings)):
            return


def analyze_cases(interpreter: Interpreter) -> None:
    """Check those functions whose calls are known by themselves: the program was not walked to its end."""
    _see_all(UncalledFunctions(interpreter), has_cases, [jax.config.jax_enable_x64])


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
    cases = CaseShares(interpreter, sum(has_cases(interpreter, function) for function in own) + len(absent))
    for number, function in enumerate(own, 1):
        if interpreter.budget.is_over:
            leave_out(interpreter, "functions that nothing calls")
            return False
        if not is_meant(interpreter, function):
            continue
        before, file = interpreter.budget.seconds_left, function.scope.module.path
        seconds = _share(before, len(own) - number)
        is_case = interpreter.wants_errors_alone and has_cases(interpreter, function)
        if is_case:
            seconds = min(seconds, cases.share)
        is_seen = seconds > 0
        if not is_seen:
            parts.checked(file, NOT_WALKED)
        for setting in settings if is_seen else ():
            jax.config.update(X64, setting)
            limit = seconds / len(settings)
            name = names.get(identity(function))
            name = name and f"{name} {setting} {may_be_checked(interpreter, function)}"
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
