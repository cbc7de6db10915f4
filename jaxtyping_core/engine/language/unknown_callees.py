"""What an unknown callee may be, by the expression that names it."""

from __future__ import annotations

import ast

from ..scopes import Scope


def may_be_object(called: ast.expr, scope: Scope) -> bool:
    """Whether an unknown callee may be an object of the program.

    It may if an object holds it, as ``self.layers[i](x)``, or if it is a variable of a function, as ``model(x)``.
    """
    is_variable = isinstance(called, (ast.Name, ast.Subscript))
    while isinstance(called, (ast.Attribute, ast.Subscript)):
        called = called.value
    if not isinstance(called, ast.Name):
        return False
    holder = scope.holder(called.id) if is_variable else None
    return called.id == "self" or (holder is not None and holder.parent is not None)


def may_be_layer(called: ast.expr, scope: Scope) -> bool:
    """Whether an unknown callee may be a layer. A function of a module, as ``library.f(x)``, makes none."""
    return isinstance(called, ast.Call) or (isinstance(called, ast.Name) and scope.holder(called.id) is scope)
