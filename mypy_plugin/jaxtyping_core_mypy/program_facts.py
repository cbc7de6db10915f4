"""What the evaluation of whole programs says of the files that mypy checks: their expressions, and what is wrong in them."""

from __future__ import annotations

import functools
import hashlib
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jaxtyping_core.domain.arrays import AbstractArray
from jaxtyping_core.domain.values import Value
from jaxtyping_core.errors import CommandError
from jaxtyping_core.programs.contexts import DECLARED, NEVER_CALLED, Fact, shown, shown_tree
from jaxtyping_core.programs.evaluate import MOST_SECONDS, evaluate_programs
from jaxtyping_core.programs.imports import OF_ARRAYS
from jaxtyping_core.programs.report import Report
from jaxtyping_core.programs.sources import Program, collect, parse
from jaxtyping_core.settings import Settings
from jaxtyping_core.severities import Severities, errors, graded
from jaxtyping_core_mypy.refusals import Place, function_at, places_of
from jaxtyping_core_mypy.spans import Span, by_mypys

#: Processor seconds that one program may take: mypy waits for them. `check` waits longer, and what it knows is known here as well.
SECONDS = 20.0
#: The same where mypy looks at functions with annotations alone: some twice what it takes itself. A program of many lines has that
#: for each of them, if it comes to more.
SECONDS_OF_ANNOTATED, SECONDS_OF_LINE = 2.5, 0.00025
#: A comment by which a file gives mypy options.
OPTIONS = re.compile(r"^\s*#\s*mypy:", re.MULTILINE)


@dataclass
class FileFacts:
    """What is known of one file.

    Attributes:
        refusals: what JAX refuses in it, and where calls in it lead to what JAX refuses, each with the places nearer to that.
        files: the files of its programs.
        text: what is in it.
    """

    text: str = ""
    refusals: list[tuple[Place, list[Place]]] = field(default_factory=list)
    files: set[str] = field(default_factory=set)
    _facts: defaultdict[Span, list[Fact]] = field(default_factory=lambda: defaultdict(list))
    #: The lines of what was reached by calls that are as a function declares.
    _declared: list[int] = field(default_factory=list)

    def add(self, span: Span, facts: Sequence[Fact]) -> None:
        """What is known of an expression."""
        self._facts[span] += facts

    def declare(self, lines: set[int]) -> None:
        """Calls that are as a function declares have reached these lines."""
        self._declared = sorted({*self._declared, *lines})

    @property
    def digest(self) -> str:
        """Tells these facts from all others."""
        told = [place[:4] for place, _ in self.refusals]
        text = repr((sorted(self._facts.items()), self._declared, told))
        return hashlib.sha256(text.encode()).hexdigest()

    def at(
        self, span: Span, function: tuple[int, int] | None, is_generic: bool = False
    ) -> AbstractArray | Value | None:
        """What is known of the array that an expression is, or of a tuple, list or dict of arrays; None where it may be none.

        Args:
            span: the expression, as mypy has it.
            function: the first and the last line of the annotated function around it; None if there is none. mypy checks
                the body of such a function with the declared types, so facts of single calls do not count in it.
            is_generic: whether the function declares type variables. Each call binds them to other types.
        """
        facts = self._facts.get(span) or self._facts.get(self._spans.get(span, span), [])
        if function is not None and (is_generic or self._is_declared(*function)):
            kinds = {fact.context.kind for fact in facts}
            kind = DECLARED if DECLARED in kinds else NEVER_CALLED
            facts = [fact for fact in facts if fact.context.kind == kind]
        places = shown(facts)
        return places[0].known if places else shown_tree(facts)

    @functools.cached_property
    def _spans(self) -> dict[Span, Span]:
        return by_mypys(self.text)

    def refuses(self, first: int, last: int) -> bool:
        """Whether JAX refuses something in these lines."""
        return any(first <= place.line <= last for place, _ in self.refusals)

    def _is_declared(self, first: int, last: int) -> bool:
        position = bisect_left(self._declared, first)
        return position < len(self._declared) and self._declared[position] <= last


class ProgramFacts:
    """The facts of a run of mypy: its programs are evaluated when the first of them is asked for.

    Args:
        settings: how the programs run JAX.
        python: the interpreter with their packages.
        files: the files of the run.
        is_kept: whether answers are kept, in the user's file of answers.
        checks_all: whether mypy checks the bodies of functions without annotations, too.

    Attributes:
        when_asked: is called with the path of a file after its facts were looked up for the first time.
    """

    def __init__(
        self, settings: Settings, python: str, files: Sequence[Path], is_kept: bool, checks_all: bool
    ) -> None:
        self.files = list(files)
        self._settings = settings
        self._python = python
        self._is_kept = is_kept
        self._checks_all = checks_all
        self._of_files: dict[Path, FileFacts] | None = None
        self._asked: set[str] = set()
        #: What is known of a file, by its path as it was asked for.
        self._by_path: dict[str, FileFacts] = {}
        self.when_asked: Callable[[str], None] = lambda _: None

    def forget(self) -> None:
        """Evaluate again from now on: the source may be another."""
        self._of_files = None
        self._asked.clear()
        self._by_path.clear()

    def was_asked_for(self, path: str) -> bool:
        """Whether anybody has asked about a file."""
        return path in self._asked

    def files_of(self, path: str) -> set[str]:
        """The files of the programs that a file is a part of."""
        return {path, *self.of(path).files}

    def of(self, path: str) -> FileFacts:
        """What is known of a file."""
        known = self._by_path.get(path)
        if known is None:
            known = self._by_path[path] = self._of(path)
            self.when_asked(path)
        return known

    def _of(self, path: str) -> FileFacts:
        self._asked.add(path)
        if not (self._settings.evaluate and self._settings.programs):
            return FileFacts()
        if self._of_files is None:
            self._of_files = {}
            self._add(self.files)
        file = Path(path).resolve()
        if file not in self._of_files:
            self._add([Path(path)])
        return self._of_files.setdefault(file, FileFacts())

    def _add(self, files: Sequence[Path]) -> None:
        try:
            programs = [program for program in collect(files, self._settings.trusted) if _has_arrays(program)]
        except CommandError:  # mypy says so, too
            return
        if programs and self._of_files is not None:
            annotated_alone = not (self._checks_all or any(map(_may_check_all, programs)))
            report = evaluate_programs(
                *(programs, self._settings, self._python, self._is_kept, SECONDS, MOST_SECONDS),
                annotated_alone=annotated_alone,
                seconds_of=_seconds_of_annotated if annotated_alone else None,
            )
            self._of_files |= _by_file(report, programs, errors(self._settings.rules))
            self._by_path.clear()  # there may be more of a file now


def _may_check_all(program: Program) -> bool:
    """Whether a comment in a program gives mypy options, which may be to check the bodies of all functions."""
    return any(OPTIONS.search(module.text or "") for module in program.modules.values())


def _seconds_of_annotated(program: Program) -> float:
    lines = sum((module.text or "").count("\n") for module in program.modules.values())
    return max(SECONDS_OF_ANNOTATED, SECONDS_OF_LINE * lines)


def _has_arrays(program: Program) -> bool:
    return any(OF_ARRAYS.search(module.text or "") for module in program.modules.values())


def _by_file(report: Report, programs: Sequence[Program], severities: Severities) -> dict[Path, FileFacts]:
    files: dict[str, FileFacts] = {}
    for program in programs:
        paths = {module.path for module in program.modules.values()}
        for module in program.modules.values():
            files.setdefault(module.path, FileFacts(module.text or "")).files |= paths
    for each in report.expressions:
        place = each.facts[0].place
        files[place.file].add(Span(place.line, place.column, each.end_line, each.end_column), each.facts)
    trees = {file: parse(own.text) for file, own in files.items() if report.refusals}
    for refusal in graded(report.refusals, severities):
        places = list(places_of(refusal, lambda file, line: function_at(trees[file], line)))
        for number, reported in enumerate(places):
            if reported.file in files:  # what no statement of the program calls comes from nowhere
                files[reported.file].refusals.append((reported, places[:number]))
    declared: defaultdict[str, set[int]] = defaultdict(set)
    for fact in report.facts:
        if fact.context.kind == DECLARED:
            declared[fact.place.file].add(fact.place.line)
    for path, lines in declared.items():
        files[path].declare(lines)
    return {Path(path).resolve(): own for path, own in files.items()}
