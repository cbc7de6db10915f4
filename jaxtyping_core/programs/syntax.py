"""The nodes of syntax trees, but for those that only say which operator stands there, or how a name is used; first lines, and parameters."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Concatenate, ParamSpec, TypeGuard, TypeVar

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
T = TypeVar("T")
P = ParamSpec("P")

#: Fields of nodes in which there are such, or texts and numbers.
LEFT_OUT = frozenset({"ctx", "op", "ops", "id", "attr", "arg", "asname", "module", "kind", "type_comment"})
#: Where a statement keeps what was read of it.
KEPT = "_jaxtyping_core_kept"
#: The fields of each kind of nodes in which there may be nodes.
FIELDS = {
    kind: () if kind is ast.Constant else tuple(name for name in kind._fields if name not in LEFT_OUT)
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
}


def walk(node: ast.AST) -> list[ast.AST]:
    """The node and all nodes in it, in the order of `ast.walk`."""
    walked = [node]
    for each in walked:  # which grows meanwhile
        if FIELDS[type(each)]:
            walked += children(each)
    return walked


def first_line(node: ast.stmt) -> int:
    """The line in which a statement begins, with its decorators."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def children(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes right inside a node."""
    for name in FIELDS[type(node)]:
        value = getattr(node, name, None)
        if isinstance(value, list):
            for item in value:
                if isinstance(item, ast.AST):
                    yield item
        elif isinstance(value, ast.AST):
            yield value


def kept(read: Callable[Concatenate[ast.stmt, P], T]) -> Callable[Concatenate[ast.stmt, P], T]:
    """What is read of a statement that nobody changes, kept with it: after an edit most statements are the same objects (`sources.parse`).

    What else `read` takes must be what it was for the same statement.
    """

    def reading(statement: ast.stmt, /, *others: P.args, **named: P.kwargs) -> T:
        known: dict[Any, T] = statement.__dict__.setdefault(KEPT, {})
        if read not in known:
            known[read] = read(statement, *others, **named)
        return known[read]

    return reading


@functools.lru_cache(maxsize=4)
def nodes(tree: ast.Module) -> Sequence[ast.AST]:
    """All nodes of a module that nobody changes, statement by statement: several look at the same one, one after the other."""
    every: list[ast.AST] = [tree]
    for statement in tree.body:
        every += nodes_of(statement)
    return every


@kept
def nodes_of(statement: ast.stmt) -> Sequence[ast.AST]:
    """All nodes of a statement that nobody changes."""
    return walk(statement)


@kept
def imports_in(statement: ast.stmt) -> Sequence[ast.Import | ast.ImportFrom]:
    """The statements in a statement, itself among them, that import something."""
    return [node for node in nodes_of(statement) if isinstance(node, (ast.Import, ast.ImportFrom))]


def parameters(arguments: ast.arguments) -> list[ast.arg]:
    """All parameters of a function, those with a star last."""
    stars = [star for star in (arguments.vararg, arguments.kwarg) if star is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *stars]


def is_unannotated(node: ast.AST) -> TypeGuard[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Whether a node is a function in which nothing is annotated: mypy does not look into it."""
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or node.returns is not None:
        return False
    return all(parameter.annotation is None for parameter in parameters(node.args))
