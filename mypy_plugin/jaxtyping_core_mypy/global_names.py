"""Module variables that a function assigns with ``global``: their type is fixed where the module assigns them.

``scale = jnp.ones(3)`` would then refuse ``global scale; scale = jnp.ones((4, 4))``, so that such a variable
is an array of any dtype and shape from the start.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from mypy.nodes import AssignmentStmt, Context, GlobalDecl, MypyFile, NameExpr, Node, Statement
from mypy.types import Type

from jaxtyping_core_mypy.widening import widen

#: Where statements keep the statements inside them.
BODIES = ("body", "else_body", "finally_body", "defs", "handlers", "bodies", "func", "items")


class GlobalNames:
    """Knows, for the module at hand, which expressions are first values of reassigned module variables."""

    def __init__(self) -> None:
        self._defs: Any = None
        self._values: set[int] = set()

    def adjust(self, tree: MypyFile, context: Context, typ: Type) -> Type:
        """`typ`, widened if the expression `context` is such a value in the module `tree`."""
        # dmypy puts a new tree's statements into the old MypyFile: the list tells them apart, the file does not.
        if self._defs is not tree.defs:
            self._defs = tree.defs
            self._values = _first_values(tree)
        return widen(typ) if id(context) in self._values else typ


def _first_values(tree: MypyFile) -> set[int]:
    declared = {
        name
        for statement in statements_of(tree)
        if isinstance(statement, GlobalDecl)
        for name in statement.names
    }
    if not declared:
        return set()
    return {
        id(statement.rvalue)
        for statement in tree.defs
        if isinstance(statement, AssignmentStmt) and _assigns(statement, declared)
    }


def _assigns(statement: AssignmentStmt, declared: set[str]) -> bool:
    return any(isinstance(lvalue, NameExpr) and lvalue.name in declared for lvalue in statement.lvalues)


class _Statements:
    """The statements of the module at hand."""

    def __init__(self) -> None:
        self._defs: Any = None
        self._found: list[Statement] = []

    def of(self, tree: MypyFile) -> list[Statement]:
        # dmypy puts a new tree's statements into the old MypyFile: the list tells them apart, the file does not.
        if self._defs is not tree.defs:
            self._defs = tree.defs
            self._found = list(_statements_inside(tree.defs))
        return self._found


_STATEMENTS = _Statements()


def statements_of(tree: MypyFile) -> list[Statement]:
    """Every statement of a module, looked for once for all who ask about the same one."""
    return _STATEMENTS.of(tree)


def _statements_inside(whole: Any) -> Iterator[Statement]:
    """Every statement in a part of a tree: mypy's traversers cannot be subclassed outside of its compiled code."""
    waiting = [whole]
    while waiting:
        part = waiting.pop()
        if isinstance(part, (list, tuple)):
            waiting.extend(reversed(part))
        elif isinstance(part, Node):
            if isinstance(part, Statement):
                yield part
            kind: Any = type(part)
            waiting.extend(getattr(part, name) for name in reversed(_bodies(kind)))


@functools.cache
def _bodies(kind: Any) -> tuple[str, ...]:
    """Where nodes of a kind keep the statements inside them."""
    return tuple(name for name in BODIES if hasattr(kind, name))
