"""What the expressions of a file are: for the names where they are bound and used, and for what mypy has types of."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mypy.nodes import CallExpr, Expression, IndexExpr, MemberExpr, NameExpr, OpExpr, UnaryExpr

from jaxtyping_core.domain.arrays import AbstractArray
from jaxtyping_core.lsp.partial import Part
from jaxtyping_core.lsp.records import Known, Span
from jaxtyping_core.lsp.source import Source
from jaxtyping_core.programs.places import RETURN, Place
from jaxtyping_core.programs.syntax import first_line, kept, nodes_of
from jaxtyping_core_mypy.convert import Type
from jaxtyping_core_mypy.inferred import array_of

#: The expressions that may be arrays, as `ast` and as mypy have them.
KINDS: dict[type[Expression], type[ast.expr]] = {
    NameExpr: ast.Name,
    MemberExpr: ast.Attribute,
    CallExpr: ast.Call,
    IndexExpr: ast.Subscript,
    OpExpr: ast.BinOp,
    UnaryExpr: ast.UnaryOp,
}
#: Where an expression is and what it is, as both know it.
Key = tuple[type, str, int, int, int | None, int | None]


def known_names(source: Source, places: Iterable[Place]) -> Iterator[Known]:
    """Names, where they are bound, and where they are used if they are bound but once."""
    known = {
        (place.line, place.column): place.known
        for place in places
        if place.name != RETURN and not place.is_open
    }
    for bound, nodes in source.names.uses.items():
        array = known.get((bound.lineno, bound.col_offset))
        if array is not None:
            for node in nodes:
                yield Known(source.span(node), array)


def known_values(source: Source, places: Iterable[Place]) -> Iterator[Known]:
    """What is assigned to a name, or returned."""
    known = {place.spot[1:]: place for place in places if not place.is_open}
    for statement in source.tree.body:
        for spot, span in _values(statement, source):
            if spot in known:
                place = known[spot]
                yield Known(span, place.known)


@kept
def _values(statement: ast.stmt, source: Source) -> list[tuple[tuple[int, int, str], Span]]:
    """Where in a statement something is assigned to a name, or returned, each with where the value is."""
    values: list[tuple[tuple[int, int, str], Span]] = []
    for node in nodes_of(statement):
        match node:
            case ast.Assign(targets=[ast.Name(id=name) as target], value=value):
                values.append(((target.lineno, target.col_offset, name), source.span(value)))
            case ast.Return(value=ast.expr() as value):
                values.append(((value.lineno, value.col_offset, RETURN), source.span(value)))
    return values


def known_expressions(
    source: Source, types: Mapping[Expression, Type], x64: bool, left_out: Iterable[Part] = ()
) -> Iterator[Known]:
    """Expressions of which mypy knows the arrays; it has not seen what is `left_out`.

    Its types are those of all modules that it checked; one that is at a place of two of them is left out.
    """
    unseen = {line + 1 for part in left_out for line in range(part.first, part.end)}
    nodes = {
        _key(node): node
        for statement in source.tree.body
        if not unseen.issuperset(range(first_line(statement), (statement.end_lineno or 0) + 1))
        for node in nodes_of(statement)
        if isinstance(node, ast.expr) and node.lineno not in unseen
    }
    arrays: dict[Key, AbstractArray | None] = {}
    for expression, typ in types.items():
        if type(expression) not in KINDS:
            continue
        key = _key_of_mypy(expression)
        if key not in nodes:
            continue
        array = array_of(typ, x64)
        arrays[key] = array if arrays.get(key, array) == array else None
    for key, known in arrays.items():
        span = source.span(nodes[key])
        # In other lines mypy may count otherwise.
        if known is not None and all(line.isascii() for line in source.lines[span.line : span.end_line + 1]):
            yield Known(span, known)


def only_once(*sources: Iterable[Known]) -> list[Known]:
    """Each span once; an earlier source is believed."""
    by_span: dict[Span, Known] = {}
    for known in (known for source in sources for known in source):
        by_span.setdefault(known.span, known)
    return list(by_span.values())


def _key(node: ast.expr) -> Key:
    name = getattr(node, "id", getattr(node, "attr", ""))
    return type(node), name, node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


def _key_of_mypy(node: Any) -> Key:
    name = node.name if isinstance(node, (NameExpr, MemberExpr)) else ""
    return KINDS[type(node)], name, node.line, node.column, node.end_line, node.end_column
