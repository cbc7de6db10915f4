"""What the expressions of a file are: for the names where they are bound and used, and and for all that was evaluated."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from jaxtyping_core.lsp.records import Known, Span
from jaxtyping_core.lsp.source import Source
from jaxtyping_core.programs.contexts import Expression, Fact, shown
from jaxtyping_core.programs.places import RETURN, Place
from jaxtyping_core.programs.syntax import kept, nodes_of

#: What is said of what rests on a recorded run.
OBSERVED = "observed in a recorded run"
#: The lines and the columns where an expression begins and ends.
Ends = tuple[int, int, int | None, int | None]


def known_names(source: Source, places: Iterable[Place]) -> Iterator[Known]:
    """Names, where they are bound, and where they are used if they are bound but once."""
    known = {(place.line, place.column): place for place in _told(places) if place.name != RETURN}
    for bound, nodes in source.names.uses.items():
        place = known.get((bound.lineno, bound.col_offset))
        if place is not None:
            for node in nodes:
                yield _known(source.span(node), place)


def _told(places: Iterable[Place]) -> Iterator[Place]:
    return (place for place in places if not place.is_open or place.observed is not None)


def _known(span: Span, place: Place) -> Known:
    return Known(span, place.shown, () if place.observed is None else (OBSERVED,))


def known_values(source: Source, places: Iterable[Place]) -> Iterator[Known]:
    """What is assigned to a name, or returned."""
    known = {place.spot[1:]: place for place in _told(places)}
    for statement in source.tree.body:
        for spot, span in _values(statement, source):
            if spot in known:
                yield _known(span, known[spot])


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


def known_expressions(source: Source, file: str, expressions: Iterable[Expression]) -> Iterator[Known]:
    """What the expressions of a file are that the evaluation has come to."""
    spans: dict[Ends, Span] = {}
    for statement in source.tree.body:
        spans |= _expressions(statement, source)
    facts: dict[Span, list[Fact]] = {}
    for each in expressions:
        for fact in each.facts:
            place = fact.place
            span = spans.get((place.line, place.column, each.end_line, each.end_column))
            if place.file == file and span is not None:
                facts.setdefault(span, []).append(fact)
    for span, own in facts.items():
        for place in shown(own):
            if not place.is_open:
                yield Known(span, place.known)


@kept
def _expressions(statement: ast.stmt, source: Source) -> dict[Ends, Span]:
    """Where the expressions of a statement are, by where they begin and end as `ast` counts."""
    return {
        (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset): source.span(node)
        for node in nodes_of(statement)
        if isinstance(node, ast.expr)
    }


def only_once(*sources: Iterable[Known]) -> list[Known]:
    """Each span once; an earlier source is believed."""
    by_span: dict[Span, Known] = {}
    for known in (known for source in sources for known in source):
        by_span.setdefault(known.span, known)
    return list(by_span.values())
