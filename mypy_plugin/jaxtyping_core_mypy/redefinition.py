"""A note where mypy's `allow_redefinition` is missed: the plugin switches it on, a module's own section off."""

from __future__ import annotations

from typing import Any

from mypy.nodes import AssignmentStmt, Context, MypyFile, NameExpr, Var
from mypy.subtypes import is_subtype
from mypy.types import Type, get_proper_type

from jaxtyping_core_mypy import errors
from jaxtyping_core_mypy.convert import is_array
from jaxtyping_core_mypy.global_names import statements_of


class Redefinitions:
    """Tells once in a module that an array variable cannot change its type."""

    def __init__(self) -> None:
        self._told = False
        self._defs: Any = None
        self._targets: dict[int, NameExpr] = {}

    def check(self, api: Any, value: Context, typ: Type | None) -> None:
        """Look at the expression `value` of type `typ`, which may be assigned to a variable."""
        if api.options.allow_redefinition or typ is None or not is_array(typ):
            return
        target = self._target(api.tree, value)
        if target is None or not isinstance(target.node, Var) or target.node.type is None:
            return
        declared = get_proper_type(target.node.type)
        if (
            not self._told
            and is_array(declared)
            and target.node.is_inferred
            and not is_subtype(typ, declared)
        ):
            self._told = True
            api.note(errors.REDEFINITION, value)

    def _target(self, tree: MypyFile, value: Context) -> NameExpr | None:
        if self._defs is not tree.defs:
            self._defs, self._told = tree.defs, False
            self._targets = {
                id(statement.rvalue): statement.lvalues[0]
                for statement in statements_of(tree)
                if isinstance(statement, AssignmentStmt) and isinstance(statement.lvalues[0], NameExpr)
            }
        return self._targets.get(id(value))
