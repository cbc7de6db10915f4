"""What is known at assignments, parameters and returns, where an editor shows it: unless an annotation says it already."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from jaxtyping_core.lsp.records import Hint
from jaxtyping_core.lsp.source import Source
from jaxtyping_core.programs.places import RETURN, Place
from jaxtyping_core.programs.syntax import children, kept

#: Annotations that say of an array only that it is one, by their last names.
PLAIN = frozenset({"Array", "ArrayLike", "ndarray", "Any"})


class Site(NamedTuple):
    """Where a hint stands, and what the source says there so far; `is_whole` where a name may be annotated, or `target` may if nothing else binds it."""

    line: int
    column: int
    annotation: ast.expr | None = None
    is_whole: bool = False
    target: ast.Name | None = None


def hints_of(source: Source, places: Iterable[Place]) -> Iterator[Hint]:
    """The hints of a file."""
    once = source.names.once
    sites: dict[tuple[int, int, str], Site] = {}
    for statement in source.tree.body:
        sites |= _sites(statement, source)
    for place in places:
        site = sites.get((place.line, place.column, place.name))
        is_observed = place.observed is not None
        if site is None or (place.is_open and not is_observed) or _says(site.annotation):
            continue
        yield Hint(
            site.line,
            site.column,
            RETURN if place.name == RETURN else "name",
            place.name,
            place.shown,
            "" if site.annotation is None else source.of(site.annotation),
            (site.is_whole or site.target in once) and not is_observed,
            is_observed,
        )


def _says(annotation: ast.expr | None) -> bool:
    """Whether an annotation says more than that there is an array."""
    match annotation:
        case None | ast.Name(id="Array" | "ArrayLike" | "ndarray" | "Any"):
            return False
        case ast.Attribute(attr=name):
            return name not in PLAIN
    return True


@kept
def _sites(statement: ast.stmt, source: Source) -> dict[tuple[int, int, str], Site]:
    """Where hints may stand in a statement, by the line, the column and the name of a place."""
    sites: dict[tuple[int, int, str], Site] = {}
    for scope, node in _nodes(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            sites.setdefault((node.lineno, node.col_offset, node.id), _after(source, node))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            site = _after(source, node.annotation)._replace(annotation=node.annotation)
            sites[node.target.lineno, node.target.col_offset, node.target.id] = site
        elif (
            isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
        ):
            target = node.targets[0]
            site = _after(source, target)._replace(target=target)
            sites[target.lineno, target.col_offset, target.id] = site
        elif isinstance(node, ast.Return) and node.value is not None:
            returns = scope.returns if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)) else None
            site = _after(source, node)._replace(annotation=returns)
            sites[node.value.lineno, node.value.col_offset, RETURN] = site
        elif isinstance(node, ast.arg):
            site = _after(source, node.annotation or node)._replace(annotation=node.annotation)
            is_whole = isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef))
            sites[node.lineno, node.col_offset, node.arg] = site._replace(is_whole=is_whole)
    return sites


def _nodes(tree: ast.stmt) -> Iterator[tuple[ast.AST | None, ast.AST]]:
    """All nodes, each with the function that it is in; a statement comes before its parts."""
    pairs: list[tuple[ast.AST | None, ast.AST]] = [(None, tree)]
    for scope, node in pairs:  # which grows meanwhile
        yield scope, node
        inner = node if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) else scope
        pairs += [(inner, child) for child in children(node)]


def _after(source: Source, node: ast.expr | ast.stmt | ast.arg) -> Site:
    span = source.span(node)
    return Site(span.end_line, span.end_column)
