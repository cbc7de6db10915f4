"""What `jaxtyping-core show` and `jaxtyping-core check` say of one file, as it is in the editor.

Both ask the evaluation of the program, as is done here; only that its process is not started anew for each question.
"""

from __future__ import annotations

import contextlib
import importlib.util
import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from jaxtyping_core import reading, severities
from jaxtyping_core import trust as packages
from jaxtyping_core.checking.configuration import settings_here
from jaxtyping_core.errors import CommandError
from jaxtyping_core.evaluation.client import Superseded, evaluator
from jaxtyping_core.evaluation.protocol import STOPS
from jaxtyping_core.evaluation.versions import jax_version
from jaxtyping_core.evaluation.wall import Wall, required
from jaxtyping_core.installation.interpreter import IN_EDITOR, python_of
from jaxtyping_core.lsp.annotating import annotated, edits_between
from jaxtyping_core.lsp.fixing import applied, candidates
from jaxtyping_core.lsp.problems import syntax_problem
from jaxtyping_core.lsp.records import Answer, Fix, Problem, Question, Request, Span
from jaxtyping_core.lsp.snapshot import Look
from jaxtyping_core.lsp.source import Source
from jaxtyping_core.programs import sources, unsaved
from jaxtyping_core.programs.callers import callers
from jaxtyping_core.programs.evaluate import evaluate_programs, leaves_nothing
from jaxtyping_core.programs.report import Report
from jaxtyping_core.programs.sources import Module, Program
from jaxtyping_core.settings import Settings

Texts = Mapping[Path, str]
#: Seconds after which scripts that import a file are looked for again.
AGAIN = 30.0
EVALUATE = 'set jaxtyping-core.trust to "evaluate" if you trust its programs'
LEFT_OUT = (
    "{}, which the project trusts, is not evaluated; "
    'to let code of this folder run, set jaxtyping-core.trust to "yes"'
)
GONE = "{} no longer exists, so earlier results stay; create the environment again, or set jaxtyping-core.python to another one"


class Analyst:
    """Looks at files of one project, whose folder is the current one.

    Args:
        python: what the user named as the interpreter of the project.
        trust: what the user trusts the folder with, as `lsp.configuration` has it.
        is_superseded: tells whether another request waits; the evaluation of a program is then given up.
    """

    def __init__(
        self, python: str | None, trust: str, is_superseded: Callable[[], bool] = lambda: False
    ) -> None:
        self._named, self._trusted, self._is_superseded = python, trust == "yes", is_superseded
        if self._trusted:
            packages.trust_project()
        if trust == "no":
            required.require()
        #: The texts that were last read, by their files.
        self._last: dict[str, str] = {}
        self._python: str | None = None
        self._has_python = False
        self._complaints: list[str] = []
        self._configured: Settings | None = None
        #: The errors that were last found, and of what.
        self._found: tuple[Any, list[Problem]] | None = None
        #: The programs of a saved text that was looked at last: the child that stays has not read them.
        self._opened: list[Program] = []
        #: The scripts that import a file, and when they were looked for.
        self._callers: dict[Path, tuple[list[Path], float]] = {}

    def answers(self, request: Request) -> Iterator[Answer]:
        """What is known of a file, or the answers to a question about it."""
        texts = {Path(path).resolve(): text for path, text in request.texts.items()}
        try:
            match request.question:
                case None:
                    yield self._known(request.number, request.file, texts)
                case Question("fixes", first, last):
                    yield from self._fixes(request, range(first, last + 1), texts)
                case Question(_, line):
                    yield from self._annotations(request, line, texts)
        except CommandError as error:
            yield Answer(request.number, complaints=(str(error),))
        except Superseded:
            yield Answer(
                request.number, is_python=False
            )  # nobody reads it, but it tells that this process lives

    def prepare(self) -> None:
        """Have a child ready for the next evaluation, while nobody waits: one that has evaluated what was opened."""
        configured, programs, self._opened = self._configured, self._opened, []
        if configured is None or not (configured.evaluate and configured.programs):
            return
        if programs and all(map(leaves_nothing, programs)):
            with contextlib.suppress(Superseded):
                self._evaluate(programs, configured, cached=False)
        python = self._python or sys.executable
        evaluator(
            *(python, configured.time_limit, None, jax_version(python), (STOPS,)), packages=configured.trusted
        ).start()

    def _known(self, number: int, name: str, texts: Texts) -> Answer:
        with unsaved.holding(texts):
            look = self._look(name, texts)
            if look is None:
                problem = syntax_problem(texts.get(Path(name).resolve(), ""))
                return Answer(number, is_python=False, problems=(problem,) if problem else ())
            answer = look.answer(number)
            self._found = (name, dict(texts)), [*answer.problems]
            return answer

    def _annotations(self, request: Request, line: int, texts: Texts) -> Iterator[Answer]:
        """The annotations of a function, as precise as brings no error."""
        file = Path(request.file).resolve()
        problems = self._problems(request.file, texts)
        with unsaved.holding(texts):
            source = self._read(request.file)
            configured = settings_here(None)
            written = [] if source is None else [*self._written(source, _as_written(file), line, configured)]
        for text in written:
            if _is_no_worse(problems or (), self._problems(request.file, {**texts, file: text})):
                edits = edits_between(texts[file], text)
                yield Answer(request.number, fixes=(Fix("", Span(line, 0, line, 0), edits),))
                return
        yield Answer(request.number)

    def _written(self, source: Source, file: Path, line: int, configured: Settings) -> Iterator[str]:
        """The text with the function annotated, most precisely first."""
        programs = self._with_callers(file, sources.collect([file], configured.trusted), configured)
        for program in programs:
            program.watched = (str(file), line + 1)
        report = self._evaluate(programs, configured, cached=False)
        yield from annotated(file, source, line + 1, report.calls, configured)

    def _fixes(self, request: Request, lines: range, texts: Texts) -> Iterator[Answer]:
        """What makes errors in some lines go away, as a look at the text with each candidate tells."""
        file = Path(request.file).resolve()
        problems = self._problems(request.file, texts)
        with unsaved.holding(texts):
            source = self._read(request.file)
        wrong = [problem for problem in problems or () if problem.span.line in lines]
        fixes: list[Fix] = []
        for problem in wrong:
            for fix in candidates(source, problem) if source else ():
                fixed = {**texts, file: applied(texts[file], fix.edits)}
                if _is_solved(problem, problems or (), self._problems(request.file, fixed)):
                    fixes.append(fix)
                yield Answer(request.number, last=False, fixes=tuple(fixes))
        yield Answer(request.number, fixes=tuple(fixes))

    def _problems(self, name: str, texts: Texts) -> list[Problem] | None:
        """The errors of a file; None if it is no Python."""
        known = name, dict(texts)
        if self._found is not None and self._found[0] == known:
            return self._found[1]
        with unsaved.holding(texts):
            look = self._look(name, texts)
            return None if look is None else [*look.problems()]

    def _read(self, name: str) -> Source | None:
        try:
            source = Source(*sources.read(_as_written(Path(name))))
        except CommandError:
            return None
        before = self._last.get(name)
        if before is not None and before != source.text:
            sources.forget(before)
        self._last[name] = source.text
        return source

    def _look(self, name: str, texts: Texts) -> Look | None:
        """Have the program of a file evaluated; None if it is no Python."""
        file = _as_written(Path(name))
        source = self._read(name)
        if source is None:
            return None
        if not self._has_python:
            self._python, self._complaints = python_of(Path.cwd(), self._named, self._trusted, IN_EDITOR)
            self._has_python = True
        if self._python is not None and not Path(self._python).is_file():
            self._has_python = False  # it may be made again
            raise CommandError(GONE.format(self._python))
        self._configured = configured = settings_here(None)
        programs = sources.collect([file], configured.trusted)
        whole = self._with_callers(file, programs, configured)
        # What is kept on the disk is kept for texts that are on the disk.
        held = [module for program in whole for module in _held(program, file, texts)]
        is_saved = all(map(_is_saved, held))
        evaluated = self._evaluate(whole, configured, is_saved)
        self._opened = whole if is_saved else []
        complaints = [*self._complaints]
        if configured.ignored:
            complaints.append(LEFT_OUT.format(", ".join(configured.ignored)))
        if evaluated.unwalled and required.is_required():
            complaints.append(f"{required.refusal(Wall(why=evaluated.unwalled))}; {EVALUATE}")
        severe = severities.known(configured.rules, configured.low_precision)
        return Look(file, source, programs, whole, evaluated, tuple(complaints), severe)

    def _evaluate(self, programs: list[Program], configured: Settings, cached: bool) -> Report:
        """What the evaluation says, until another request waits. One child stays: that of the texts that are being edited."""
        python, is_superseded = self._python or sys.executable, self._is_superseded
        return evaluate_programs(
            programs,
            configured,
            python,
            cached,
            keep=not cached,
            is_superseded=is_superseded,
            with_sizes=True,
        )

    def _with_callers(self, file: Path, programs: list[Program], configured: Settings) -> list[Program]:
        """The programs, and the scripts that import the file, which are looked for now and then alone."""
        scripts, when = self._callers.get(file, ([], -math.inf))
        if time.monotonic() - when > AGAIN:
            scripts = callers(programs, configured.trusted)
            self._callers[file] = scripts, time.monotonic()
        taken = [script for script in scripts if script.is_file()]
        try:
            return sources.collect([file, *taken], configured.trusted) if taken else programs
        except CommandError:  # a script that is being typed
            return programs


def _is_solved(problem: Problem, before: Sequence[Problem], after: Sequence[Problem] | None) -> bool:
    """Whether an error is gone and there is no other that was not there."""
    left = Counter(map(_identity, before))
    left[_identity(problem)] -= 1
    return after is not None and Counter(map(_identity, after)) <= left


def _is_no_worse(before: Sequence[Problem], after: Sequence[Problem] | None) -> bool:
    """Whether there are no other errors than before, wherever they are now."""
    errors = [Counter((p.code, p.message) for p in problems) for problems in (before, after or ())]
    return after is not None and errors[1] <= errors[0]


def _identity(problem: Problem) -> Any:
    return problem.span.line, problem.code, problem.message


def _as_written(file: Path) -> Path:
    """A file as a user in the project's folder names it."""
    resolved = file.resolve()
    return resolved.relative_to(Path.cwd()) if resolved.is_relative_to(Path.cwd()) else resolved


def _held(program: Program, file: Path, texts: Texts) -> Iterator[Module]:
    """The module of the file, and those that the program has and the editor holds."""
    for module in program.modules.values():
        if module.path == str(file) or Path(module.path).resolve() in texts:
            yield module


def _is_saved(module: Module) -> bool:
    """Whether the disk has the text of a module."""
    try:
        return importlib.util.decode_source(reading.read_bytes(Path(module.path))) == module.text
    except (OSError, SyntaxError, ValueError):
        return False
