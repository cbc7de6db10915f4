"""Checks of functions that declare arrays and that the program does not call: what JAX refuses in their bodies, and what they return.

An annotation is a contract: the body must work for all sizes that it allows. So each body is walked with several draws of sizes. What
is wrong in every draw is an error; what is wrong in some may be of sizes for which the function is not meant, and is not reported.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..domain.arrays import AbstractArray
from ..evaluation.protocol import EXAMPLE
from ..sampling.tables.sizes import BODY_SAMPLES, BodySample
from .control import Control, Exhausted, Frame, Raised
from .diagnostics import Diagnostics
from .facts import DECLARED, Entry, Facts
from .language import assumptions
from .language.comparable import contracts
from .language.functions import invoke
from .values import arrays
from .values.callables import REST, Function
from .values.unknowns import UNKNOWN

if TYPE_CHECKING:
    from .machine import Machine

#: How JAX says that two sizes must be equal. Other refusals may be of sizes that a body divides, or takes apart.
MISMATCH = re.compile("contracting dim|ncompatible shapes|inconsistent size|must be equal|does not match")
#: How it is said that a value is not as declared; such a message names the arguments itself.
CONTRACT = re.compile("; expected ")
#: What stands before the value that is not as declared; and the sizes in a message.
ACTUAL, NUMBERS = re.compile(" is | returns | yields "), re.compile(r"\d+")
#: What functions are called that check arguments: ``assert_equal_shape``, ``check_consistent_length``.
CHECKING = re.compile(r"\b_?(?:assert|check|validate|ensure)\w*$")
#: The random keys of the draws: the new ones and the raw ones of JAX.
KEYS = (AbstractArray.of("key<fry>", False, ()), AbstractArray.of("uint32", False, (2,)))
#: Where an error is, and of what kind it is; and the error, as `Diagnostics` has it.
Place = tuple[str, int, int, str]
Error = dict[str, Any]


def check(machine: Machine, function: Function) -> bool:
    """Report what is wrong in the body of a function for all arguments that it declares; whether that is anything.

    Raises:
        Exhausted: it takes too long, or the evaluation was cancelled.
    """
    if not assumptions.declares_arrays(machine, function) or _asserts(function):
        return False
    wrong: dict[Place, Error] | None = None
    for number, sample in enumerate(BODY_SAMPLES):
        for refused in _walks(machine, function, _sizes(machine, function, sample), KEYS[number % len(KEYS)]):
            wrong = refused if wrong is None else _in_both(wrong, refused)
            if not wrong:
                return False
    for (file, line, column, _), error in (wrong or {}).items():
        machine.diagnostics.refusals[file, line, column, error["message"]] = error
    return bool(wrong)


def _asserts(function: Function) -> bool:
    """Whether a function has something check its arguments, which may not allow all sizes that are declared."""
    return any(
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and CHECKING.search(ast.unparse(node.value.func))
        for node in ast.walk(function.node)
    )


def _sizes(machine: Machine, function: Function, sample: BodySample) -> assumptions.Sizes:
    """The sizes of a draw. The names in the fields of a class are its own: another function may mean something else by them."""
    reading = contracts("reading")
    forms = assumptions.forms_of(machine, function).values()
    of_fields = {
        name
        for form in forms
        for part in contracts("forms").inside(form)
        if type(part).__name__ == "Object"
        for name in reading.names_in(part)
    }
    return assumptions.Sizes(itertools.cycle(sample.sizes), sample.dtype, frozenset(of_fields))


def _in_both(wrong: dict[Place, Error], refused: dict[Place, Error]) -> dict[Place, Error]:
    """The errors that are in both of two draws; of those that are of no mismatch, the ones in the same words."""
    return {
        place: error
        for place, error in wrong.items()
        if place in refused and _words(error) == _words(refused[place])
    }


def _words(error: Error) -> str:
    """The part of a message that is the same for all sizes if the error is: what is not as declared, or what JAX says."""
    message: str = error["message"]
    if CONTRACT.search(message):
        return ACTUAL.split(message, 1)[0]
    return NUMBERS.sub("", message.partition(EXAMPLE)[0]) if MISMATCH.search(message) else message


def _walks(
    machine: Machine, function: Function, sizes: assumptions.Sizes, key: AbstractArray
) -> Iterator[dict[Place, Error]]:
    """What is wrong in each of the calls that together stand for all calls with such sizes, and with such a random key."""
    for arguments in assumptions.calls(machine, function, sizes):
        arguments |= dict.fromkeys(_keys(machine, function), arrays.of_known(key))
        arguments |= dict.fromkeys(_open(machine, function), UNKNOWN)
        outer, machine.diagnostics = machine.diagnostics, Diagnostics()
        module = function.scope.module
        machine.frames.append(Frame(module.scope, "<declared>", module.path, 0, entry=Entry(DECLARED)))
        try:
            with machine.seeing(Facts()), machine.within(believing=True):
                invoke(machine, function, [REST], {**arguments, "**": REST}, entry=Entry(DECLARED))
        except Exhausted:
            raise
        except (Raised, Control):
            pass
        finally:
            machine.frames.pop()
            refusals, machine.diagnostics = machine.diagnostics.refusals, outer
        example = arrays.spelled(arguments)
        yield {
            (error["file"], error["line"], error["column"], error["kind"]): _with_example(error, example)
            for error in refusals.values()
            if _is_own(function, error)
        }


def _keys(machine: Machine, function: Function) -> Iterator[str]:
    """The parameters that are declared as arrays of any kind, and whose names say that they are random keys."""
    is_key = contracts("reading").KEY_NAME.fullmatch
    for name, form in assumptions.forms_of(machine, function).items():
        if (
            type(form).__name__ == "ArrayForm"
            and form.axes is None
            and form.library == "jax"
            and is_key(name)
        ):
            yield name


def _open(machine: Machine, function: Function) -> Iterator[str]:
    """The parameters that hold several arrays of which each may have another shape: a draw gives them the same one."""
    is_open = contracts("reading").is_open
    return (name for name, form in assumptions.forms_of(machine, function).items() if is_open(form))


def _with_example(error: Error, example: str) -> Error:
    """An error that names the arguments of its draw, if it is about their sizes and does not name them."""
    message = error["message"]
    if not MISMATCH.search(message) or not example:
        return error
    return {**error, "message": f"{message.rstrip('.')}{EXAMPLE}{example}"}


def _is_own(function: Function, error: Error) -> bool:
    """Whether an error is in the function itself: what it calls is looked at by itself."""
    first, last = function.node.lineno, function.node.end_lineno or 0
    is_inside: bool = first <= error["line"] <= last
    return is_inside and error["file"] == function.scope.module.path
