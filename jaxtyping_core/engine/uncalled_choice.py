"""Which of the functions that nothing calls are walked, and which are checked against what they declare."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ..identity import identity
from .language import assumptions
from .unseen import is_annotated
from .values.callables import Function

if TYPE_CHECKING:
    from .interpreter import Interpreter


def declares(interpreter: Interpreter, function: Function) -> bool:
    return assumptions.is_at_top_level(function) and assumptions.declares_arrays(interpreter, function)


def may_be_checked(interpreter: Interpreter, function: Function) -> bool:
    """Whether a function is to be as it declares. What the program calls is judged by these calls: it may declare more than it means."""
    if identity(function.node) in interpreter.unresolved.reached:
        return False
    return has_cases(interpreter, function) or declares(interpreter, function)


def has_cases(interpreter: Interpreter, function: Function) -> bool:
    return bool(interpreter.cases.of(interpreter, function))


def is_uncalled(interpreter: Interpreter, function: Function) -> bool:
    node = function.node
    if isinstance(node, ast.Lambda) or identity(node) in interpreter.called:
        return False
    is_meant = not interpreter.wants_annotated_alone or is_annotated(node)
    interpreter.left_out = interpreter.left_out or not is_meant
    return is_meant
