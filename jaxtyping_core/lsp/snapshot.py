"""One look at a file: what the evaluation says of its text, and what an editor is told of that."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jaxtyping_core.lsp.annotating import can_annotate, is_open
from jaxtyping_core.lsp.declared import without_declared
from jaxtyping_core.lsp.expression_types import known_expressions, known_names, known_values, only_once
from jaxtyping_core.lsp.hints import hints_of
from jaxtyping_core.lsp.origins import explained
from jaxtyping_core.lsp.problems import problems_of
from jaxtyping_core.lsp.records import Answer, Problem
from jaxtyping_core.lsp.source import Source
from jaxtyping_core.programs.contexts import shown
from jaxtyping_core.programs.places import RETURN, Place
from jaxtyping_core.programs.report import Report
from jaxtyping_core.programs.sources import Program
from jaxtyping_core.severities import Severities


@dataclass(frozen=True)
class Look:
    """A file and its programs, what their evaluation says of them, and what the user should know.

    `whole` are the programs with the scripts of the project that import the file, as they were evaluated. `severities` says how
    grave each code is.
    """

    file: Path
    source: Source
    programs: list[Program]
    whole: list[Program]
    evaluated: Report
    complaints: tuple[str, ...]
    severities: Severities

    def problems(self) -> Iterator[Problem]:
        """What ``check`` says of the file."""
        return problems_of(self.source, self.file, self.evaluated, self.programs, self.severities)

    def answer(self, number: int) -> Answer:
        """The answer to a request."""
        places = self._places()
        known = only_once(
            known_names(self.source, places),
            known_values(self.source, places),
            known_expressions(self.source, str(self.file), self.evaluated.expressions),
        )
        return Answer(
            number,
            hints=tuple(hints_of(self.source, places)),
            known=tuple(without_declared(self.source, explained(self.source, known))),
            problems=tuple(self.problems()),
            uses=tuple(
                {
                    str(Path(module.path).resolve()): 0
                    for program in self.whole
                    for module in program.modules.values()
                }
            ),
            jaxtyping=self.source.imports("jaxtyping"),
            names=tuple(self.source.names.of_module),
            complaints=self.complaints,
            notes=tuple(self.evaluated.notes),
            functions=tuple(self._open_functions()) if can_annotate() else (),
        )

    def _places(self) -> list[Place]:
        """The places of the file, with what a recorded run shows of them."""
        told = [*self.evaluated.places, *self.evaluated.parameters]
        own = {
            place.spot: place for place in told if place.file == str(self.file) and place.observed is not None
        }
        known = shown(fact for fact in self.evaluated.facts if fact.place.file == str(self.file))
        spots = {place.spot for place in known}
        only = [place for spot, place in own.items() if spot not in spots]
        return sorted([*(own.get(place.spot, place) for place in known), *only], key=lambda place: place.spot)

    def _open_functions(self) -> Iterator[tuple[str, int]]:
        """The functions without annotations that have arrays in their heads, or return some."""
        own = [*self.evaluated.parameters, *(p for p in self.evaluated.places if p.name == RETURN)]
        lines = [place.line for place in own if place.file == str(self.file) and not place.is_open]
        for node in self.source.nodes:
            if is_open(node) and any(node.lineno <= line <= (node.end_lineno or 0) for line in lines):
                yield node.name, node.lineno - 1
