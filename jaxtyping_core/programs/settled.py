"""Whether an evaluation knows all that can be known of the places in some files, so that no other source has more to say."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from jaxtyping_core.domain.arrays import AbstractArray
from jaxtyping_core.errors import CommandError
from jaxtyping_core.programs.contexts import NEVER_CALLED, Fact
from jaxtyping_core.programs.report import Report
from jaxtyping_core.programs.sources import Program, parse
from jaxtyping_core.programs.syntax import nodes

#: A file, and where a name or a returned value stands in it.
Position = tuple[str, int, int]


def is_settled(report: Report, programs: Iterable[Program]) -> bool:
    """Whether each place in the given files of some programs was reached, and all is known of the arrays there."""
    if report.incomplete or report.lost or report.unevaluated:
        return False
    facts: dict[Position, list[Fact]] = {}
    for fact in report.facts:
        place = fact.place
        facts.setdefault((place.file, place.line, place.column), []).append(fact)
    try:
        return all(
            _is_known(facts.get((module.path, *position), ()))
            for program in programs
            for module in program.entry_modules
            for position in targets(parse(module.text or ""))
        )
    except CommandError:  # no Python: mypy says so, too
        return False


def _is_known(facts: Sequence[Fact]) -> bool:
    """Whether the facts of one place leave nothing open: what only calls say that nobody makes is no matter."""
    made = [fact for fact in facts if fact.context.kind != NEVER_CALLED]
    return bool(made) and all(
        _is_whole(fact.place.known) if fact.is_array else not fact.is_open for fact in made
    )


def _is_whole(known: AbstractArray) -> bool:
    """Whether nothing is left open that mypy may know: whether an array is weak, it does not tell."""
    return known.dtype is not None and known.shape is not None and None not in known.shape


def targets(source: ast.Module) -> Iterator[tuple[int, int]]:
    """Where a module assigns to names by statements, or returns: the places of which mypy may know something."""
    for node in nodes(source):
        match node:
            case ast.Assign(targets=assigned):
                for target in assigned:
                    yield from _names(target)
            case (
                ast.AnnAssign(target=target, value=ast.expr())
                | ast.For(target=target)
                | ast.AsyncFor(target=target)
            ):
                yield from _names(target)
            case ast.Return(value=ast.expr() as value):
                yield value.lineno, value.col_offset


def _names(target: ast.expr) -> Iterator[tuple[int, int]]:
    if isinstance(target, ast.Name):
        yield target.lineno, target.col_offset
    elif isinstance(target, (ast.Tuple, ast.List)):
        for item in target.elts:
            yield from _names(item)
