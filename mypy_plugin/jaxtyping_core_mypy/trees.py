"""The parts of mypy's trees: its traversers cannot be subclassed outside of its compiled code."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mypy.nodes import (
    DictionaryComprehension,
    Expression,
    FuncDef,
    GeneratorExpr,
    Import,
    ImportAll,
    ImportBase,
    ImportFrom,
    MypyFile,
    Node,
    OperatorAssignmentStmt,
    OpExpr,
    Statement,
)

#: Where statements keep the statements inside them.
BODIES = ("body", "else_body", "finally_body", "defs", "handlers", "bodies", "func", "items")
#: Where statements and expressions keep the expressions inside them.
PARTS = (
    *(*BODIES, "expr", "rvalue", "subject", "args", "callee", "base", "index", "left", "right", "operands"),
    *("value", "key", "generator", "left_expr", "sequences", "condlists", "cond", "if_expr", "else_expr"),
)


def imported_modules(node: ImportBase) -> list[str]:
    """The modules that a statement imports."""
    if isinstance(node, Import):
        return [name for name, _ in node.ids]
    return [node.id] if isinstance(node, (ImportFrom, ImportAll)) else []


def statements_of(tree: MypyFile) -> list[Statement]:
    """Every statement of a module."""
    return list(statements_inside(tree.defs))


def functions_of(tree: MypyFile) -> list[FuncDef]:
    """The functions of a module and the methods of its classes, outer ones first."""
    return [statement for statement in statements_of(tree) if isinstance(statement, FuncDef)]


@functools.lru_cache(maxsize=4_000)
def resolved(path: str) -> Path:
    """A path by which files are compared, however they are written."""
    return Path(path).resolve()


def tree_of(modules: Mapping[str, MypyFile], file: str) -> MypyFile | None:
    """The module of a file, however its path is written."""
    named = (tree for tree in modules.values() if tree.path and Path(tree.path).name == Path(file).name)
    return next((tree for tree in named if resolved(tree.path) == resolved(file)), None)


def statements_inside(whole: Any) -> Iterator[Statement]:
    """Every statement in a part of a tree."""
    return (node for node in nodes_inside(whole, BODIES) if isinstance(node, Statement))


def comprehended(tree: MypyFile) -> Iterator[tuple[Expression, Expression]]:
    """What the comprehensions of a module go over, each with its target."""
    for node in nodes_inside(tree.defs, PARTS):
        if isinstance(node, (GeneratorExpr, DictionaryComprehension)):
            yield from zip(node.sequences, node.indices, strict=True)


def operands(tree: MypyFile) -> Iterator[tuple[Expression, Node, Expression]]:
    """The operands of the binary operators of a module, each with its operator and the other one."""
    for node in nodes_inside(tree.defs, PARTS):
        if isinstance(node, OpExpr):
            yield from ((node.left, node, node.right), (node.right, node, node.left))
        elif isinstance(node, OperatorAssignmentStmt):
            yield node.rvalue, node, node.lvalue


def nodes_inside(whole: Any, names: tuple[str, ...]) -> Iterator[Node]:
    """Every node in a part of a tree, below attributes of these names."""
    waiting = [whole]
    while waiting:
        part = waiting.pop()
        if isinstance(part, (list, tuple)):
            waiting.extend(reversed(part))
        elif isinstance(part, Node):
            yield part
            kind: Any = type(part)
            waiting.extend(getattr(part, name, None) for name in reversed(_attributes(kind, names)))


@functools.cache
def _attributes(kind: Any, names: tuple[str, ...]) -> tuple[str, ...]:
    """Those of some names that nodes of a kind have as attributes."""
    return tuple(name for name in names if hasattr(kind, name))
