"""Walks of calls that something else than the program makes, and what is wrong in them."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..evaluation.protocol import EXAMPLE
from .bodies import read_by
from .control import Control, Exhausted, Frame, RaisedException
from .diagnostics import Diagnostics
from .facts import DECLARED, Entry, Facts
from .language import assumptions
from .language.comparable import contracts
from .language.functions import invoke
from .language.with_statements import from_outside
from .values import arrays
from .values.callables import STAR_ARGS, Function
from .values.unknowns import UNKNOWN

if TYPE_CHECKING:
    from .interpreter import Interpreter
    from .scopes import Module

#: How JAX says that two sizes must be equal. Other refusals may be of sizes that a body divides, or takes apart.
MISMATCH = re.compile(
    "contracting dim|ncompatible shapes|inconsistent size|must be equal|does not match|must have equal"
)
#: Where an error is, and of what kind it is; and the error, as `Diagnostics` has it.
Place = tuple[str, int, int, str]
Error = dict[str, Any]


def walks(
    interpreter: Interpreter, function: Function, calls: Iterable[dict[str, Any]]
) -> Iterator[dict[Place, Error]]:
    """What is wrong in each of some calls."""
    for arguments in calls:
        outer, interpreter.diagnostics = interpreter.diagnostics, Diagnostics()
        try:
            with (
                called(interpreter, function),
                from_outside(interpreter, function),
                interpreter.within(believing=True),
            ):
                invoke(
                    interpreter, function, [STAR_ARGS], {**arguments, "**": STAR_ARGS}, entry=Entry(DECLARED)
                )
        except Exhausted:
            raise
        except (RaisedException, Control):
            pass
        finally:
            refusals, interpreter.diagnostics = interpreter.diagnostics.refusals, outer
        example = _spelled(arguments)
        yield {
            (error["file"], error["line"], error["column"], error["kind"]): _with_example(error, example)
            for error in refusals.values()
            if _is_own(interpreter, function, error)
        }


@contextmanager
def called(interpreter: Interpreter, function: Function) -> Iterator[None]:
    """A part of the walk that something calls beside the program; what is seen there is not kept."""
    module = function.scope.module
    interpreter.frames.append(Frame(module.scope, "<declared>", module.path, 0, entry=Entry(DECLARED)))
    try:
        with interpreter.seeing(Facts()), _unknown_globals(interpreter):
            yield
    finally:
        interpreter.frames.pop()


@contextmanager
def _unknown_globals(interpreter: Interpreter) -> Iterator[None]:
    """A part of the walk in which nothing is known of variables that functions assign: any of these may have been called."""
    before = [
        (module.scope.variables, name, module.scope.variables[name])
        for module in interpreter.modules.values()
        for name in _assigned(interpreter, module)
        if name in module.scope.variables
    ]
    for variables, name, _ in before:
        variables[name] = UNKNOWN
    try:
        yield
    finally:
        for variables, name, value in before:
            variables[name] = value


def _assigned(interpreter: Interpreter, module: Module) -> frozenset[str]:
    """The variables of a module that its functions declare ``global``."""
    if module.global_names is None:
        trees = [tree for path, tree, _ in interpreter.texts.values() if path == module.path]
        nodes = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Global))
        with read_by(None):  # it is known of a module without the bodies in it
            module.global_names = frozenset(name for node in nodes for name in node.names)
    return module.global_names


def _spelled(arguments: dict[str, Any]) -> str:
    """The arguments of a draw that are arrays, and sizes."""
    numbers = [f"{name} = {value}" for name, value in arguments.items() if type(value) is int]
    return ", ".join(filter(None, [arrays.spelled(arguments), *numbers]))


def _with_example(error: Error, example: str) -> Error:
    """An error that names the arguments of its draw, if it is about their sizes and does not name them."""
    message = error["message"]
    if not MISMATCH.search(message) or not example:
        return error
    return {**error, "message": f"{message.rstrip('.')}{EXAMPLE}{example}"}


def _is_own(interpreter: Interpreter, function: Function, error: Error) -> bool:
    """Whether an error is in the function itself, or in one that it calls and that declares no sizes: others are looked at by themselves."""
    if is_in(function, error):
        return True
    if not any(is_in(function, step) for step in error["trail"]):
        return False
    around = [each for each in interpreter.functions.values() if is_in(each, error)]
    innermost = max(around, key=lambda each: each.node.lineno, default=None)
    return innermost is None or not any(map(_has_sizes, forms_of_call(interpreter, innermost).values()))


def _has_sizes(form: Any) -> bool:
    """Whether an annotation says something of the sizes of arrays."""
    arrays = (part for part in contracts("forms").inside(form) if type(part).__name__ == "ArrayForm")
    return any(array.axes is not None for array in arrays)


def is_in(function: Function, place: Mapping[str, Any]) -> bool:
    """Whether an error, or a call that leads to it, is in the lines of a function."""
    first, last = function.node.lineno, function.node.end_lineno or 0
    is_inside: bool = first <= place["line"] <= last
    return is_inside and place["file"] == function.scope.module.path


def forms_of_call(interpreter: Interpreter, function: Function) -> dict[str, Any]:
    """What the parameters are that every call passes: those with defaults are left out."""
    parameters = function.signature.parameters
    return {
        name: form
        for name, form in assumptions.forms_of(interpreter, function).items()
        if parameters[name].default is inspect.Parameter.empty
    }
