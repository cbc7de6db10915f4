"""The functions of a file of which mypy finds after an edit what it found before: they need not be checked again.

Whether a function may be meant by an edit is told by names, as for the evaluation (`programs.reach`). mypy is given the text without the
bodies of the others. So none is left out from which anything else in the file has its type, or of which the plugin knows what it changes.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from jaxtyping_core.lsp.source import Source
from jaxtyping_core.programs.changes import MAKING, MUTATORS
from jaxtyping_core.programs.definitions import DEFINITIONS, Definition
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
#: Definitions of which it is kept what they say: an edit leaves most of a file as it was.
MOST = 20_000


class Body(NamedTuple):
    """The lines of a function, counted from 0: from `start` to `end`, those of its body from `first`; `unit` is the definition of the top level that it is in."""

    unit: tuple[str, int]
    name: str
    start: int
    first: int
    end: int


class _Read(NamedTuple):
    """What the text of a definition says: its functions whose bodies may be left out, each with its name and its lines, and what may matter to others."""

    functions: tuple[tuple[str, int, int, int], ...]
    to_others: tuple[str, ...]


def bodies(source: Source) -> list[Body]:
    """The functions whose bodies may be left out."""
    if OPTIONS.search(source.text):
        return []
    return [
        Body((node.name, first_line(node)), name, *(start + line for line in lines))
        for node, start, read in _definitions(source)
        for name, *lines in read.functions
    ]


def around(source: Source, left_out: Sequence[Body]) -> list[str]:
    """What of a text may matter to all of it: the lines that are in none of these functions, and in no class, but for empty ones.

    The names of the functions and classes take their place, with what classes may do to others.
    """
    units = {body.unit for body in left_out}
    lines, at = [], 0
    for node, start, read in _definitions(source):
        if isinstance(node, ast.ClassDef) or (node.name, first_line(node)) in units:
            lines += [*source.lines[at:start], node.name, *read.to_others]
            at = node.end_lineno or 0
    return [line for line in (*lines, *source.lines[at:]) if line.strip()]


def without(source: Source, left_out: Iterable[Body]) -> str:
    """The text without some bodies; its lines are where they were."""
    lines = [*source.lines]
    for body in left_out:
        line = lines[body.first]
        indent = line[: len(line) - len(line.lstrip())]
        lines[body.first : body.end] = [indent + NOTHING, *[""] * (body.end - body.first - 1)]
    return "\n".join(lines)


def _definitions(source: Source) -> Iterator[tuple[Definition, int, _Read]]:
    """The definitions of the top level, with their first lines, counted from 0."""
    for node in source.tree.body:
        if isinstance(node, DEFINITIONS):
            start = first_line(node) - 1
            yield node, start, _read("\n".join(source.lines[start : node.end_lineno]))


@functools.lru_cache(maxsize=MOST)
def _read(text: str) -> _Read:
    (node,) = ast.parse(text).body
    functions = node.body if isinstance(node, ast.ClassDef) else [node]
    lines = text.split("\n")
    return _Read(
        tuple(each for function in functions for each in _lines_of(function, lines)),
        tuple(_to_others(node)) if isinstance(node, ast.ClassDef) else (),
    )


def _lines_of(node: ast.stmt, lines: Sequence[str]) -> Iterator[tuple[str, int, int, int]]:
    """The name and the lines of a function whose body may be left out."""
    if isinstance(node, ast.FunctionDef) and not _is_seen_outside(node):
        first = first_line(node.body[0]) - 1
        # Nothing else stands in the first line.
        if not lines[first].encode()[: node.body[0].col_offset].strip():
            yield node.name, first_line(node) - 1, first, node.end_lineno or 0


def _is_seen_outside(function: ast.FunctionDef) -> bool:
    """Whether the body of a function may matter to other parts of the module than its own."""
    if function.name in MAKING or all(isinstance(statement, EMPTY) for statement in function.body):
        return True
    own, known = _variables(function)
    return any(_matters(node, own, known) for statement in function.body for node in walk(statement))


def _variables(function: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[set[str], set[str]]:
    """The variables that a function has, without the parameters and with them."""
    passed = {parameter.arg for parameter in parameters(function.args)}
    inside = (node for statement in function.body for node in walk(statement))
    bound = {node.id for node in inside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return bound - passed, bound | passed


def _to_others(node: ast.ClassDef) -> Iterator[str]:
    """What in a class may matter to code from which no name leads to it: all but what its methods do to their own object."""
    for part in walk(node):
        if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
            own, known = _variables(part)
            itself = {parameter.arg for parameter in parameters(part.args)[:1]}
            for inner in walk(part):
                if _matters(inner, own, known) and _base(inner) not in itself:
                    yield ast.dump(inner)
        elif part is not node and isinstance(part, SEEN_OUTSIDE):
            yield ast.dump(part)


def _matters(node: ast.AST, own: set[str], known: set[str]) -> bool:
    """Whether a node may change what the function has not made, or give it another name; `own` are the variables that it has, `known` also the parameters."""
    match node:
        case ast.Attribute(ctx=ast.Store() | ast.Del()):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Subscript(value=ast.Attribute(attr="at")))):
            return False  # an update of an array of JAX, which gives another one
        case ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.Call(func=ast.Attribute(attr=_)):
            is_change = isinstance(node, ast.Subscript) or getattr(node.func, "attr", "") in MUTATORS
            return is_change and _root(node) not in own
        case ast.Assign(value=ast.Name(id=name)):
            return name not in known
    return isinstance(node, SEEN_OUTSIDE)


def _base(node: ast.AST) -> str:
    """The variable that something of is changed: ``self`` in ``self.layers[0].append(x)``."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _root(node: ast.AST) -> str:
    """The variable in ``params["w"].append(x)``; an empty text if an attribute of one is meant."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
