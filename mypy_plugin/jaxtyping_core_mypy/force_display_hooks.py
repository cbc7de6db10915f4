"""Has mypy ask about dicts and lists that are written out: it takes a short cut for most of them, past every hook.

This is the one place that writes into a program's trees. There is no other way that reports no error in correct code:

* mypy takes the short cut wherever no type is expected, nothing in the display has a star, and the items have one type above them.
  Arrays of two shapes have one, and so has what is no array: ``object``. A hook can change none of these conditions.
* No hook is asked about a name or an assignment. Where ``params`` of ``{"a": {"w": w}, "b": {"w": v}}`` is a ``dict[str, object]`` to mypy,
  the hook of ``dict.__getitem__`` may still give ``params["a"]`` its type, from what the evaluation of the program knows there. But
  ``update(params)`` is an error then: mypy compares the type of the variable.
* Nor can items be made less precise, so that two dicts of arrays are alike: an item that is a name has no hook either.
* The errors could be held back where the evaluation knows the expression. Where it does not get to, or is switched off, they would stay,
  although mypy reports none without the plugin: with JAX's own types all arrays are of one type.
"""

from __future__ import annotations

from typing import Any

from mypy.nodes import (
    AssignmentStmt,
    DictExpr,
    Expression,
    ForStmt,
    FuncDef,
    IntExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    StarExpr,
    Statement,
    StrExpr,
    TupleExpr,
)

#: Displays with more items than that are left to mypy: they are tables, not parameters.
MOST_ITEMS = 64
LITERALS = (StrExpr, IntExpr)


def mark(statements: list[Statement]) -> None:
    """Have mypy ask about the displays in some statements.

    It takes no short cut where there is a ``**`` or ``*`` in them: an empty one changes nothing, except for a
    `TypedDict`. Displays are therefore left alone where a type is declared; and where they are arguments of calls, of
    which some are definitions (`collections.namedtuple`), and JAX's are read as written.
    """
    assignments = [statement for statement in statements if isinstance(statement, AssignmentStmt)]
    declared = {
        target.name
        for statement in assignments
        for target in statement.lvalues
        if isinstance(target, (NameExpr, MemberExpr)) and statement.unanalyzed_type is not None
    }
    functions = [statement for statement in statements if isinstance(statement, FuncDef)]
    parameters = [argument for function in functions for argument in function.arguments]
    declared |= {argument.variable.name for argument in parameters if argument.type_annotation is not None}
    for statement in assignments:
        targets = [target for target in statement.lvalues if isinstance(target, (NameExpr, MemberExpr))]
        if not any(target.name in declared or target.name.startswith("__") for target in targets):
            for value in _whole_values(statement):
                _mark(value)
    for loop in [statement for statement in statements if isinstance(statement, ForStmt)]:
        _mark(loop.expr)


def _whole_values(statement: AssignmentStmt) -> list[Expression]:
    """The expressions that an assignment takes as a whole: mypy counts the items of what it unpacks as it is written."""
    unpacked = [target for target in statement.lvalues if isinstance(target, (TupleExpr, ListExpr))]
    value = statement.rvalue
    if not unpacked or not isinstance(value, (TupleExpr, ListExpr)):
        return [value]
    nested = any(isinstance(item, (TupleExpr, ListExpr)) for target in unpacked for item in target.items)
    return [] if nested else value.items


def _mark(expression: Expression | None) -> None:
    match expression:
        case DictExpr(items=items) if _is_of_interest([value for _, value in items]):
            for _, value in items:
                _mark(value)
            items.append((None, _placed(DictExpr([]), expression)))
        case ListExpr(items=items) if _is_of_interest(items):
            for value in items:
                _mark(value)
            items.append(_placed(StarExpr(_placed(ListExpr([]), expression)), expression))
        case TupleExpr(items=items):
            for value in items:
                _mark(value)
        case ListComprehension(generator=generator):
            for values in generator.sequences:
                _mark(values)
        case OpExpr(op="|" | "+"):
            _mark(expression.left)
            _mark(expression.right)


def _is_of_interest(items: list[Expression]) -> bool:
    plain = all(isinstance(item, LITERALS) or is_marker(item) for item in items)
    return len(items) <= MOST_ITEMS and not plain and not any(map(is_marker, items))


def is_marker(expression: Expression) -> bool:
    """Whether an item of a display is such an empty one."""
    if isinstance(expression, StarExpr):
        return isinstance(expression.expr, ListExpr) and not expression.expr.items
    return isinstance(expression, DictExpr) and not expression.items


def _placed(new: Any, old: Expression) -> Any:
    new.set_line(old)
    return new
