"""Names that are bound once, so that what they were bound to is what they are.

mypy forgets the value of ``n = 3`` and merges types that differ only in what the plugin notes in them: a size
in the type of an int says what the int is only where no other assignment, loop or union comes between.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from mypy.nodes import (
    GDEF,
    AssignmentStmt,
    Block,
    ClassDef,
    Decorator,
    Expression,
    ForStmt,
    FuncItem,
    IfStmt,
    ListExpr,
    MatchStmt,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    OverloadedFuncDef,
    StarExpr,
    TryStmt,
    TupleExpr,
    Var,
    WhileStmt,
    WithStmt,
)

#: Where the patterns of a match statement keep their parts.
OF_PATTERNS = ("pattern", "name", "patterns", "capture", "values", "rest", "positionals", "keyword_values")


class Binding(NamedTuple):
    """How a name gets its value: by assignment of `value`, or of a part of it; None where that is not known.

    `repeated`: in a loop, so that the value is another one each time.
    """

    value: Expression | None
    is_part: bool
    repeated: bool


class Bindings:
    """The bindings of every variable in some statements."""

    def __init__(self, statements: Sequence[Node]) -> None:
        self._bindings: dict[Var, list[Binding]] = {}
        self._targets: list[tuple[NameExpr, Var]] = []
        self._inner = False
        self._walk(statements, repeated=False)

    def only(self, variable: Var) -> Binding | None:
        """The binding of a variable that has no other."""
        bindings = self._bindings.get(variable, ())
        return bindings[0] if len(bindings) == 1 else None

    def knows(self, variable: Var) -> bool:
        """Whether these are the bindings of `variable`, as far as it has any.

        mypy's daemon makes new variables where it checks a function again.
        """
        return variable in self._bindings or all(target.node is known for target, known in self._targets)

    def _walk(self, part: Any, repeated: bool) -> None:
        match part:
            case list() | tuple():
                for item in part:
                    self._walk(item, repeated)
            case AssignmentStmt():
                for lvalue in part.lvalues:
                    self._bind(lvalue, part.rvalue, repeated)
            case OperatorAssignmentStmt():
                self._bind(part.lvalue, None, repeated)
            case ForStmt():
                items = part.expr if isinstance(part.index, NameExpr) else None
                self._bind(part.index, items, repeated=True, is_part=True)
                self._walk(part.body, repeated=True)
                self._walk(part.else_body, repeated)
            case WhileStmt():
                self._walk(part.body, repeated=True)
                self._walk(part.else_body, repeated)
            case WithStmt():
                self._bind_all(part.target, repeated)
                self._walk(part.body, repeated)
            case TryStmt():
                self._bind_all(part.vars, repeated)
                self._walk([part.body, part.handlers, part.else_body], repeated)
                self._walk(part.finally_body, repeated=True)  # which mypy checks twice
            case IfStmt():
                self._walk([part.body, part.else_body], repeated)
            case MatchStmt():
                self._bind_all(part.patterns, repeated)
                self._walk(part.bodies, repeated)
            case Block():
                self._walk(part.body, repeated)
            case ClassDef():
                self._walk(part.defs, repeated)
            case FuncItem():
                self._walk_function(part)
            case Decorator():
                self._walk(part.func, repeated)
            case OverloadedFuncDef():
                self._walk(part.items, repeated)

    def _walk_function(self, function: FuncItem) -> None:
        for argument in function.arguments:
            self._bindings.setdefault(argument.variable, []).append(Binding(None, False, True))
        outer, self._inner = self._inner, True
        self._walk(function.body, repeated=False)
        self._inner = outer

    def _bind_all(self, parts: Any, repeated: bool) -> None:
        """Bind every name in targets or patterns to a value that is not known."""
        if isinstance(parts, (list, tuple)):
            for part in parts:
                self._bind_all(part, repeated)
        elif isinstance(parts, Expression):
            self._bind(parts, None, repeated)
        elif parts is not None:
            for attribute in OF_PATTERNS:
                self._bind_all(getattr(parts, attribute, None), repeated)

    def _bind(
        self, target: Expression, value: Expression | None, repeated: bool, is_part: bool = False
    ) -> None:
        match target:
            case NameExpr(node=Var() as variable):
                of_module = self._inner and target.kind == GDEF
                self._targets.append((target, variable))
                self._bindings.setdefault(variable, []).append(Binding(value, is_part, repeated or of_module))
            case StarExpr():
                self._bind(target.expr, None, repeated)
            case TupleExpr() | ListExpr():
                if isinstance(value, TupleExpr) and _are_paired(target.items, value.items):
                    for item, part in zip(target.items, value.items, strict=True):
                        self._bind(item, part, repeated)
                else:
                    for item in target.items:
                        self._bind(item, value, repeated, is_part=True)


def _are_paired(targets: list[Expression], values: list[Expression]) -> bool:
    starred = any(isinstance(item, StarExpr) for item in (*targets, *values))
    return len(targets) == len(values) and not starred
