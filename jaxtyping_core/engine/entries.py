"""The walk of a program: its entries, each as the main module in its share of the time, then what nothing has called."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence

import jax

from ..scripts import is_script
from .control import Control, Exhausted, RaisedException
from .cut_off import CutOff
from .interpreter import Interpreter
from .language import imports
from .libraries.calls.memo import X64
from .uncalled import analyze_cases, analyze_entry_points
from .unresolved import Unresolved
from .values import heap

#: What an entry may take of the time that is left, where each of those that follow it has one part.
SHARE_OF_ENTRY = 2
#: What the imports of modules that several entries have may take of the time, where only errors are wanted.
SHARE_OF_IMPORTS = 0.4


def run(interpreter: Interpreter, entries: list[str], x64: bool | None = None) -> bool:
    """Walk each entry as the main module, then the functions that nothing has called; whether that was all.

    Each entry is a process of its own where it is run: it begins with 64-bit types as they are now. `x64` is whether the
    others have them.
    """
    before = bool(jax.config.values[X64])
    waiting = [name for name in entries if name in interpreter.texts]
    walked: dict[str, Unresolved] = {}
    cut_off: list[str] = []
    try:
        if interpreter.wants_errors_alone:
            _import_modules(interpreter)
        _walk_entries(interpreter, waiting, walked, cut_off)
        jax.config.update(X64, before if x64 is None else x64)
        if not cut_off:
            _walk_rest(interpreter, walked, before if x64 is None else x64)
            return True
        _check_cases(interpreter, walked)
    except Exhausted:
        interpreter.parts.may_be_kept = False
        for name in waiting:  # what they do as the main module is not known, whoever has imported them
            interpreter.top_levels.forget(interpreter.texts[name][0])
    interpreter.not_ended = [*cut_off, *waiting]
    if not interpreter.wants_errors_alone:  # what is refused stays so
        interpreter.cut_off = _cut_off(interpreter, walked, cut_off)
    return False


def _walk_entries(
    interpreter: Interpreter, waiting: list[str], walked: dict[str, Unresolved], cut_off: list[str]
) -> None:
    """Walk the entries that wait, each in its share of the time. Those that need more than that, or too many steps, are `cut_off`.

    Raises:
        Exhausted: the whole time is used up.
    """
    x64, several = bool(jax.config.values[X64]), len(waiting) > 1
    while waiting:
        jax.config.update(X64, x64)
        name = waiting.pop(0)
        walked[name] = interpreter.unresolved = Unresolved(interpreter, is_one_of_several=several)
        interpreter.escaped_functions, interpreter.drawn, interpreter.imported = set(), {}, set()
        share = interpreter.budget.seconds_left * SHARE_OF_ENTRY / (len(waiting) + SHARE_OF_ENTRY)
        cut_off.append(name)
        if _walk_entry(interpreter, name, share):
            cut_off.pop()
        if waiting and is_script(interpreter.texts[name][1]):
            interpreter.modules.pop(name, None)  # where another one imports it, it is no main module


def _cut_off(interpreter: Interpreter, walked: Mapping[str, Unresolved], names: Sequence[str]) -> CutOff:
    """What programs may still do: those of `names`, and those that were walked and may call what the walk has not got to."""
    programs = _programs(interpreter, walked)
    not_ended = [programs[name] for name in names if name in programs]
    ended = [program for name, program in programs.items() if name not in names]
    functions = [function.node for program in ended for function in program.functions()]
    return CutOff(interpreter.texts, not_ended, functions)


def _walk_rest(interpreter: Interpreter, walked: Mapping[str, Unresolved], x64: bool) -> None:
    """Walk what nothing has called; `walked` is what each entry may call."""
    programs = _programs(interpreter, walked) if len(walked) > 1 else {}
    interpreter.unresolved = Unresolved(interpreter)
    for name in walked.keys() - programs.keys():
        interpreter.unresolved.take_all(walked[name])
    analyze_entry_points(interpreter, [*programs.values()], x64)


def _check_cases(interpreter: Interpreter, walked: Mapping[str, Unresolved]) -> None:
    """Check the functions of which calls are known by themselves, where not all entries were walked to their end."""
    interpreter.unresolved = Unresolved(interpreter)
    for entry in walked.values():
        interpreter.unresolved.take_all(entry)
    analyze_cases(interpreter)


def _programs(interpreter: Interpreter, walked: Mapping[str, Unresolved]) -> dict[str, Unresolved]:
    """Those of several entries that are programs of their own.

    An entry that another one imports, and that does no more when it is run, is none.
    """
    return {
        name: entry
        for name, entry in walked.items()
        if is_script(interpreter.texts[name][1])
        or not any(name in other.modules for other in walked.values() if other is not entry)
    }


def _import_modules(interpreter: Interpreter) -> None:
    """Import the modules of a large program before its entries, which have them in common: no entry's share is used up by that.

    Raises:
        Exhausted: the whole time is used up.
    """
    budget = interpreter.budget
    least = budget.seconds_left * (1 - SHARE_OF_IMPORTS)
    for name, (_, tree, _) in interpreter.texts.items():
        seconds = budget.seconds_left - least
        if seconds <= 0:
            interpreter.parts.may_be_kept = False
            return
        if name not in interpreter.modules and not is_script(tree):
            interpreter.unresolved = Unresolved(interpreter)
            walk = functools.partial(imports.of_program, interpreter, name)
            interpreter.parts.may_be_kept &= _walked_within(interpreter, seconds, walk)


def _walk_entry(interpreter: Interpreter, name: str, seconds: float) -> bool:
    """Walk an entry as the main module; whether so many seconds were enough. If not, the next one finds nothing of it.

    Raises:
        Exhausted: the whole time is used up.
    """
    path, tree, _ = interpreter.texts[name]
    interpreter.modules.pop(name, None)
    interpreter.top_levels.forget(path)
    run_it = functools.partial(imports.of_program, interpreter, name, "__main__")
    if not (is_script(tree) and interpreter.parts.are_kept):
        is_whole = _walked_within(interpreter, seconds, run_it)
        interpreter.parts.may_be_kept &= is_whole
        return is_whole

    def walk() -> bool:
        is_whole = _walked_within(interpreter, seconds, run_it)
        interpreter.modules.pop(name, None)  # where another one imports it, it is no main module
        return is_whole

    return interpreter.parts.take_script(name, path, seconds, walk)


def _walked_within(interpreter: Interpreter, seconds: float, walk: Callable[[], object]) -> bool:
    """Walk something in so many seconds; whether they were enough. If not, nothing is left of it.

    Raises:
        Exhausted: the whole time is used up.
    """
    before, modules, frames = heap.now(), set(interpreter.modules), len(interpreter.frames)
    budget = interpreter.budget
    try:
        with budget.apart(), budget.at_most(seconds=seconds):
            walk()
    except RaisedException:
        pass
    except Exhausted:
        if budget.is_over:
            raise
        del interpreter.frames[frames:]
        before.restore()
        for module in interpreter.modules.keys() - modules:
            del interpreter.modules[module]
        return False
    except Control:
        pass
    return True
