"""Checks of functions that the program does not call, by calls of which the arguments are known: `cases` has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .control import Control, Exhausted, RaisedException
from .outside_calls import Error, Place, called, walks
from .values.callables import Function

if TYPE_CHECKING:
    from .interpreter import Interpreter

#: The kinds of errors that depend on nothing but the operands. Others may be of what is around a call: a mesh, a transformation.
OF_OPERANDS = frozenset({"dtype", "shape", "removed"})


def check(interpreter: Interpreter, function: Function, cases: Sequence[Mapping[str, Any]]) -> bool:
    """Report what is wrong in calls of which each is right by itself, once for each place; whether that is anything.

    Raises:
        Exhausted: it takes too long, or the evaluation was cancelled.
    """
    wrong: dict[Place, Error] = {}
    for refused in walks(interpreter, function, _of_cases(interpreter, function, cases)):
        wrong = {**refused, **wrong}
    for (file, line, column, kind), error in wrong.items():
        if kind in OF_OPERANDS:
            interpreter.diagnostics.refusals.setdefault((file, line, column, error["message"]), error)
    return any(kind in OF_OPERANDS for *_, kind in wrong)


def _of_cases(
    interpreter: Interpreter, function: Function, cases: Sequence[Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    """The arguments of these calls, with what fixtures give, whose own errors are found elsewhere."""
    for case in cases:
        with called(interpreter, function), interpreter.within(speculative=True):
            try:
                arguments = interpreter.cases.with_fixtures(interpreter, function, case)
            except (RaisedException, Control) as ended:
                if isinstance(ended, Exhausted):
                    raise
                continue
        yield arguments
