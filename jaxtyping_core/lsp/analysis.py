"""What `jaxtyping-core show` and `jaxtyping-core check` say of one file, as it is in the editor.

Both ask the same two sources as here, mypy with the plugin and the evaluation of the program, and what they are asked
is the same; only that they are not started anew for each question.
"""

from __future__ import annotations

import importlib.util
import math
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Self

from jaxtyping_core import reading, settings
from jaxtyping_core import trust as packages
from jaxtyping_core.checking.configuration import find_config, write_config
from jaxtyping_core.errors import CommandError
from jaxtyping_core.evaluation.client import Superseded, evaluator
from jaxtyping_core.evaluation.protocol import STOPS
from jaxtyping_core.evaluation.versions import jax_version
from jaxtyping_core.evaluation.wall import Wall, required
from jaxtyping_core.lsp import trust
from jaxtyping_core.lsp.annotating import annotated, edits_between
from jaxtyping_core.lsp.builds import Found, Mypy
from jaxtyping_core.lsp.environment import python_of
from jaxtyping_core.lsp.fixing import applied, candidates
from jaxtyping_core.lsp.look import Look
from jaxtyping_core.lsp.options import restrict
from jaxtyping_core.lsp.records import Answer, Fix, Problem, Question, Request, Span
from jaxtyping_core.lsp.source import Source
from jaxtyping_core.programs import sources, unsaved
from jaxtyping_core.programs.callers import callers
from jaxtyping_core.programs.evaluate import evaluate_programs
from jaxtyping_core.programs.report import Report
from jaxtyping_core.programs.sources import Program
from jaxtyping_core.settings import Settings

Texts = Mapping[Path, str]
#: Seconds after which scripts that import a file are looked for again.
AGAIN = 30.0
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
        #: The scripts that import a file, and when they were looked for.
        self._callers: dict[Path, tuple[list[Path], float]] = {}
        #: What mypy has found of each file.
        self._earlier: dict[Path, Found] = {}
        self._folder = tempfile.TemporaryDirectory(prefix="jaxtyping-core-")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def answers(self, request: Request) -> Iterator[Answer]:
        """What is known of a file: first what is found soon. Or the answer to a question about it."""
        texts = {Path(path).resolve(): text for path, text in request.texts.items()}
        try:
            match request.question:
                case None:
                    yield from self._known(request.number, request.file, texts)
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
        """Have a child ready for the next evaluation, while nobody waits."""
        if self._configured is not None and self._configured.evaluate and self._configured.programs:
            python = self._python or sys.executable
            evaluator(
                *(python, self._configured.time_limit, None, jax_version(python), (STOPS,)),
                packages=self._configured.trusted,
            ).start()

    def _known(self, number: int, name: str, texts: Texts) -> Iterator[Answer]:
        with unsaved.holding(texts):
            look = self._look(name, texts)
            if look is None:
                yield Answer(number, is_python=False)
                return
            answer = look.answer(number)
            self._found = (name, dict(texts)), [*answer.problems]
            built = look.checked.built
            is_all = built is None or not look.mypy.leaves_out(built)
            yield look.with_types(answer, look.checked, is_all)
            if not is_all:
                yield look.with_types(answer, look.mypy.as_show(), True)

    def _annotations(self, request: Request, line: int, texts: Texts) -> Iterator[Answer]:
        """The annotations of a function, as precise as brings no error."""
        file = Path(request.file).resolve()
        problems = self._problems(request.file, texts)
        with unsaved.holding(texts):
            source = self._read(request.file)
            configured = settings.load(Path.cwd(), find_config(None))
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
        """Have mypy check a file, and its program evaluated; None if it is no Python."""
        file = _as_written(Path(name))
        source = self._read(name)
        if source is None:
            return None
        if not self._has_python:
            self._python, self._complaints = python_of(Path.cwd(), self._named, self._trusted)
            self._has_python = True
        if self._python is not None and not Path(self._python).is_file():
            self._has_python = False  # it may be made again
            raise CommandError(GONE.format(self._python))
        config = find_config(None)
        self._configured = configured = settings.load(Path.cwd(), config)
        folder = Path(self._folder.name)
        written = write_config(config, folder, with_targets=False)
        programs = sources.collect([file], configured.trusted)
        if reason := sources.unreadable_module(programs):
            raise CommandError(reason)
        whole = self._with_callers(file, programs, configured)
        held = _held(programs[0], file, texts)
        # What is kept on the disk is kept for texts that are on the disk.
        all_held = {path: text for program in whole for path, text in _held(program, file, texts).items()}
        changed = [path for path in all_held if not _is_saved(Path(path), all_held[path])]
        on_disk = [path for path in changed if path in held and Path(path).is_file()]
        left_out = [] if self._trusted else restrict(written, Path.cwd())
        named = trust.named_in(written, self._python)._replace(options=left_out)
        granted = trust.granted(named, configured, Path.cwd(), self._trusted)
        of_mypy = self._python or (None if granted.python else sys.executable)
        mypy = Mypy(
            *(file, source, held, on_disk, folder, written, of_mypy, granted.plugins, configured),
            self._earlier.setdefault(file, {}),
        )
        with ThreadPoolExecutor(1) as pool:
            evaluating = pool.submit(self._evaluate, whole, configured, not changed)
            checked = mypy.as_check()
            evaluated = evaluating.result()
        complaints = [*self._complaints, *granted.refused]
        if evaluated.unwalled and required.is_required():
            complaints.append(f"{required.refusal(Wall(why=evaluated.unwalled))}; {trust.EVALUATE}")
        return Look(file, source, programs, whole, mypy, checked, evaluated, tuple(complaints))

    def _evaluate(self, programs: list[Program], configured: Settings, cached: bool) -> Report:
        """What the evaluation says, until another request waits. One child stays: that of the texts that are being edited."""
        python, is_superseded = self._python or sys.executable, self._is_superseded
        return evaluate_programs(
            programs, configured, python, cached, keep=not cached, is_superseded=is_superseded
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
    errors = [
        Counter((p.code, p.message) for p in problems if p.severity == "error")
        for problems in (before, after or ())
    ]
    return after is not None and errors[1] <= errors[0]


def _identity(problem: Problem) -> Any:
    return problem.span.line, problem.severity, problem.code, problem.message


def _as_written(file: Path) -> Path:
    """A file as a user in the project's folder names it."""
    resolved = file.resolve()
    return resolved.relative_to(Path.cwd()) if resolved.is_relative_to(Path.cwd()) else resolved


def _held(program: Program, file: Path, texts: Mapping[Path, str]) -> dict[str, str]:
    """The text of the file, and of those that its program has and the editor holds."""
    modules = [*program.entry_modules, *program.modules.values()]
    return {
        module.path: module.text
        for module in modules
        if module.text is not None and (module.path == str(file) or Path(module.path).resolve() in texts)
    }


def _is_saved(file: Path, text: str) -> bool:
    try:
        return importlib.util.decode_source(reading.read_bytes(file)) == text
    except (OSError, SyntaxError, ValueError):
        return False
