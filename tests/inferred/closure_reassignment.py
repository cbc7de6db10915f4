"""Functions whose variables another function sees as they are later.

mypy checks a function inside another one where it stands, with the types that the outer variables have there. Where such a
variable is assigned again, the inner function may be called with what it is then.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from jaxtyping_core.programs.syntax import children, walk

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def uncertain_functions(source: ast.AST) -> Iterator[ast.AST]:
    """The functions, none inside another, in which an inner function sees a variable that is assigned twice."""
    for node in children(source):
        if not isinstance(node, FUNCTIONS):
            yield from uncertain_functions(node)
            continue
        functions = [inner for inner in walk(node) if isinstance(inner, FUNCTIONS)]
        if len(functions) > 1 and any(map(_sees_changes, functions)):
            yield node


def _sees_changes(outer: ast.AST) -> bool:
    """Whether a function right inside `outer`, or inside that, sees a variable of `outer` that is assigned twice."""
    own = list(_own(outer))
    inner = [node for node in own if isinstance(node, FUNCTIONS)]
    if not inner:
        return False
    assigned = Counter(name for node in own for name in _bound(node))
    assigned.update(_parameters(outer))
    seen = {name for function in inner for name in _free(function)}
    shared = {name for function in inner for name in _nonlocal(function)}
    return any(assigned[name] > 1 for name in seen) or any(name in assigned for name in shared)


def _own(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes in a function, without those of the functions inside it; these themselves are there."""
    for node in children(function):
        yield node
        if not isinstance(node, FUNCTIONS):
            yield from _own(node)


def _bound(node: ast.AST) -> Iterator[str]:
    """The names that a node assigns."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name


def _parameters(function: ast.AST) -> list[str]:
    return [node.arg for node in walk(getattr(function, "args", function)) if isinstance(node, ast.arg)]


def _free(function: ast.AST) -> set[str]:
    """The names that a function reads and does not assign, and those of the functions inside it."""
    own = list(_own(function))
    read = {node.id for node in own if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    read |= {name for node in own if isinstance(node, FUNCTIONS) for name in _free(node)}
    bound = {name for node in own for name in _bound(node)} - set(_nonlocal(function))
    return read - bound - set(_parameters(function))


def _nonlocal(function: ast.AST) -> list[str]:
    """The names of outer variables that a function, or one inside it, assigns."""
    return [name for node in walk(function) if isinstance(node, ast.Nonlocal) for name in node.names]
