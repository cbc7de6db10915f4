"""The fields that the objects of a class have, as far as it declares what they are."""

from __future__ import annotations

from mypy.nodes import AssignmentStmt, FuncDef, MemberExpr, NameExpr, TypeInfo, Var
from mypy.types import CallableType, Type

from jaxtyping_core_mypy.facts import ModuleFacts
from jaxtyping_core_mypy.trees import statements_inside


def fields_of(cls: TypeInfo) -> dict[str, Type]:
    """The types of the fields that a class declares."""
    symbols = {name: symbol.node for info in reversed(cls.mro) for name, symbol in info.names.items()}
    return {
        name: node.type
        for name, node in symbols.items()
        if isinstance(node, Var)
        and node.type is not None
        and not name.startswith("_")
        and name.isidentifier()
        if not (node.is_classvar or node.is_inferred or (node.is_property and not cls.is_named_tuple))
    }


def initializer_of(cls: TypeInfo) -> FuncDef | None:
    """The ``__init__`` that a class itself has."""
    symbol = cls.names.get("__init__")
    is_own = symbol is not None and not symbol.plugin_generated
    return symbol.node if symbol is not None and is_own and isinstance(symbol.node, FuncDef) else None


def kept_arguments(
    cls: TypeInfo, initializer: FuncDef, declared: CallableType, facts: ModuleFacts
) -> dict[str, Type]:
    """The types of attributes that are arguments of ``__init__`` as they are: ``self.w = w``, and set nowhere else.

    `declared`: the signature of ``__init__``.
    """
    statements = [each for each in statements_inside(initializer.body) if isinstance(each, AssignmentStmt)]
    assigned = {target.node for each in statements for target in each.lvalues if isinstance(target, NameExpr)}
    parameters = {
        argument.variable: typ
        for argument, typ in zip(initializer.arguments[1:], declared.arg_types[1:], strict=True)
        if argument.type_annotation is not None and argument.initializer is None
    }
    kept: dict[str, Type] = {}
    for statement in initializer.body.body:
        match statement:
            case AssignmentStmt(
                lvalues=[MemberExpr(expr=NameExpr(name="self"), name=name)],
                rvalue=NameExpr(node=Var() as variable),
                unanalyzed_type=None,
            ) if variable in parameters and variable not in assigned and facts.is_set_once(name, cls):
                kept[name] = parameters[variable]
    return kept
