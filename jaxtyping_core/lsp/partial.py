"""The functions of a file of which mypy finds after an edit what it found before: they need not be checked again.

Whether a function may be meant by an edit is told by names, as for the evaluation (`programs.reach`). mypy is given the text without the
bodies of the others. So none is left out from which anything else in the file has its type, or of which the plugin knows what it changes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from jaxtyping_core.lsp.source import Source
from jaxtyping_core.programs.changes import MAKING, MUTATORS
from jaxtyping_core.programs.syntax import first_line, parameters, walk

#: What stands for a body: whatever a function gives, mypy has nothing to say of it.
NOTHING = "assert False"
#: Comments that set options of mypy's, wherever they are.
OPTIONS = re.compile(r"^\s*#\s*mypy:", re.MULTILINE)
#: What in a function may matter to the rest of the module.
SEEN_OUTSIDE = (
    *(ast.Global, ast.Import, ast.ImportFrom, ast.ClassDef, ast.NamedExpr),
    *(ast.Await, ast.Yield, ast.YieldFrom),
)
#: Statements of bodies that tell mypy something by having no others.
EMPTY = (ast.Expr, ast.Pass, ast.Raise)


class Body(NamedTuple):
    """The lines of a function, counted from 0: from `start` to `end`, those of its body from `first`; `unit` is the definition of the top level that it is in."""

    unit: tuple[str, int]
    name: str
    start: int
    first: int
    end: int


def bodies(source: Source) -> list[Body]:
    """The functions whose bodies may be left out."""
    return [] if OPTIONS.search(source.text) else [*_bodies(source)]


def around(source: Source, left_out: Sequence[Body]) -> list[str]:
    """The lines of a text that are not in these functions, but for empty ones, with the names of the functions."""
    lines, at = [], 0
    for body in left_out:
        lines += [*source.lines[at : body.start], f"{body.unit[0]}.{body.name}"]
        at = body.end
    return [line for line in (*lines, *source.lines[at:]) if line.strip()]


def without(source: Source, left_out: Iterable[Body]) -> str:
    """The text without some bodies; its lines are where they were."""
    lines = [*source.lines]
    for body in left_out:
        line = lines[body.first]
        indent = line[: len(line) - len(line.lstrip())]
        lines[body.first : body.end] = [indent + NOTHING, *[""] * (body.end - body.first - 1)]
    return "\n".join(lines)


def _bodies(source: Source) -> Iterator[Body]:
    for node in source.tree.body:
        unit = getattr(node, "name", ""), first_line(node)
        for function in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(function, ast.FunctionDef) and not _is_seen_outside(function):
                first, end = first_line(function.body[0]) - 1, function.end_lineno or 0
                # Nothing else stands in the first line.
                if not source.lines[first].encode()[: function.body[0].col_offset].strip():
                    yield Body(unit, function.name, first_line(function) - 1, first, end)


def _is_seen_outside(function: ast.FunctionDef) -> bool:
    """Whether the body of a function may matter to other parts of the module than its own."""
    if function.name in MAKING or all(isinstance(statement, EMPTY) for statement in function.body):
        return True
    inside = [node for statement in function.body for node in walk(statement)]
    passed = {parameter.arg for parameter in parameters(function.args)}
    bound = {node.id for node in inside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return any(_matters(node, bound - passed, bound | passed) for node in inside)


def _matters(node: ast.AST, own: set[str], known: set[str]) -> bool:
    """Whether a node may change what the function has not made, or give it another name; `own` are the variables that it has, `known` also the parameters."""
    match node:
        case ast.Attribute(ctx=ast.Store() | ast.Del()):
            return True
        case ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.Call(func=ast.Attribute(attr=_)):
            is_change = isinstance(node, ast.Subscript) or getattr(node.func, "attr", "") in MUTATORS
            return is_change and _root(node) not in own
        case ast.Assign(value=ast.Name(id=name)):
            return name not in known
    return isinstance(node, SEEN_OUTSIDE)


def _root(node: ast.AST) -> str:
    """The variable in ``params["w"].append(x)``; an empty text if an attribute of one is meant."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
