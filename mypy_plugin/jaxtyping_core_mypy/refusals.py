"""Where mypy can report what JAX refuses: in the function itself, or at the call of it, for mypy checks no function without annotations."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from mypy.nodes import Context

from jaxtyping_core.programs.report import Refusal
from jaxtyping_core.programs.syntax import nodes
from jaxtyping_core_mypy import errors

#: Finds the function that a line of a file is in; "" for none.
FunctionAt = Callable[[str, int], str]


class Place(NamedTuple):
    """A place where a refusal can be reported, with the message there."""

    refusal: Refusal
    file: str
    line: int
    message: str
    context: Context


def places_of(refusal: Refusal, function_at: FunctionAt) -> Iterator[Place]:
    """The places where a refusal can be reported: where it is, and the calls that lead there, the last one first."""
    own = Context(refusal.line, refusal.column)
    own.end_line, own.end_column = refusal.end_line, refusal.end_column
    yield Place(refusal, refusal.file, refusal.line, refusal.message, own)
    innermost = function_at(refusal.file, refusal.line)
    called, where = innermost, f"{Path(refusal.file).name}:{refusal.line}"
    for step in reversed(refusal.trail):
        reason = f"in {innermost} ({where}): {errors.sentence(refusal.message)}"
        message = errors.REFUSED.format(call=f"{called}({step.arguments})", reason=reason)
        yield Place(refusal, step.file, step.line, message, Context(step.line, 0))
        called = step.caller


def function_at(tree: ast.Module, line: int) -> str:
    """The name of the innermost function that a line is in; "<module>" for none."""
    around = [
        node
        for node in nodes(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and node.lineno <= line <= (node.end_lineno or line)
    ]
    return max(around, key=lambda node: node.lineno).name if around else "<module>"
