"""Which of the functions that nothing calls are walked, and which are checked against what they declare."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ..identity import identity
from .language import assumptions
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
    is_meant = not interpreter.wants_annotated_alone or _is_annotated(node)
    interpreter.left_out = interpreter.left_out or not is_meant
    return is_meant


def _is_annotated(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether anything is annotated in a function's signature: type checkers look at the bodies of such functions alone."""
    of_all = node.args
    others = filter(None, (of_all.vararg, of_all.kwarg))
    arguments = (*of_all.posonlyargs, *of_all.args, *of_all.kwonlyargs, *others)
    return node.returns is not None or any(argument.annotation is not None for argument in arguments)
