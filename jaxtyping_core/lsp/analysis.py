"""What `jaxtyping-core show` and `jaxtyping-core check` say of one file, as it is in the editor.

Both ask the same two sources as here, mypy with the plugin and the evaluation of the program, and what they are asked
is the same; only that they are not started anew for each question.
"""

from __future__ import annotations

import importlib.util
import sys
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Self

from jaxtyping_core import settings
from jaxtyping_core.checking.configuration import find_config, write_config
from jaxtyping_core.errors import CommandError
from jaxtyping_core.evaluation.client import evaluator
from jaxtyping_core.evaluation.versions import jax_version
from jaxtyping_core.lsp import trust
from jaxtyping_core.lsp.builds import Mypy
from jaxtyping_core.lsp.environment import python_of
from jaxtyping_core.lsp.hints import hints_of
from jaxtyping_core.lsp.known import known_expressions, known_names, only_once
from jaxtyping_core.lsp.problems import problems_of
from jaxtyping_core.lsp.records import Answer, Request
from jaxtyping_core.lsp.source import Source
from jaxtyping_core.programs import sources, unsaved
from jaxtyping_core.programs.evaluate import CACHE_FILE, evaluate_programs
from jaxtyping_core.programs.places import merge
from jaxtyping_core.programs.sources import Program
from jaxtyping_core.settings import Settings
from jaxtyping_core_mypy.inferred import Inferred, places_of


class Analyst:
    """Looks at files of one project, whose folder is the current one.

    Args:
        python: what the user named as the interpreter of the project.
        trusted: whether code of the folder may be run that it names itself.
    """

    def __init__(self, python: str | None, trusted: bool) -> None:
        self._named, self._trusted = python, trusted
        if not trusted:
            settings.distrust()
        self._python: str | None = None
        self._has_python = False
        self._complaints: list[str] = []
        self._configured: Settings | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="jaxtyping-core-")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def answers(self, request: Request) -> Iterator[Answer]:
        """What is known of a file: first what is found soon."""
        texts = {Path(path).resolve(): text for path, text in request.texts.items()}
        with unsaved.holding(texts):
            try:
                yield from self._answers(request, texts)
            except CommandError as error:
                yield Answer(request.number, complaints=(str(error),))

    def prepare(self) -> None:
        """Have a child ready for the next evaluation, while nobody waits."""
        if self._configured is not None and self._configured.evaluate and self._configured.programs:
            python = self._python or sys.executable
            evaluator(python, self._configured.time_limit, None, jax_version(python)).start()

    def _answers(self, request: Request, texts: Mapping[Path, str]) -> Iterator[Answer]:
        file = _as_written(Path(request.file))
        try:
            source = Source(*sources.read(file))
        except CommandError:
            yield Answer(request.number, is_python=False)
            return
        if not self._has_python:
            self._python, self._complaints = python_of(Path.cwd(), self._named, self._trusted)
            self._has_python = True
        config = find_config(None)
        self._configured = configured = settings.load(Path.cwd(), config)
        folder = Path(self._folder.name)
        written = write_config(config, folder, with_targets=False)
        programs = sources.collect([file], configured.trusted)
        held = _held(programs[0], file, texts)
        # What is kept on the disk is kept for texts that are on the disk.
        changed = [path for path in held if not _is_saved(Path(path), held[path])]
        cache = None if changed else CACHE_FILE
        on_disk = [path for path in changed if Path(path).is_file()]
        named = trust.named_in(written, self._python)
        granted = trust.granted(named, configured, Path.cwd(), self._trusted)
        of_mypy = self._python or (None if granted.python else sys.executable)
        mypy = Mypy(held, on_disk, folder, written, of_mypy, granted.plugins)
        with ThreadPoolExecutor(1) as pool:
            python = self._python or sys.executable
            evaluating = pool.submit(evaluate_programs, programs, configured, python, cache, keep=True)
            checked = mypy.as_check()
            evaluated = evaluating.result()
        answer = Answer(
            request.number,
            problems=tuple(problems_of(source, file, checked, evaluated, programs)),
            uses=tuple(str(Path(module.path).resolve()) for module in programs[0].modules.values()),
            jaxtyping=source.imports("jaxtyping"),
            names=tuple(source.names.of_module),
            complaints=(*self._complaints, *granted.refused),
            notes=tuple(evaluated.notes),
        )

        def with_types(inferred: Inferred | None, last: bool) -> Answer:
            of_mypy = [] if inferred is None else list(places_of(inferred, configured.x64))
            places = [place for place in merge(of_mypy, evaluated.places) if place.file == str(file)]
            types = {} if inferred is None else inferred.built.result.types
            known = (known_names(source, places), known_expressions(source, types, configured.x64))
            return replace(
                answer, hints=tuple(hints_of(source, places)), known=tuple(only_once(*known)), last=last
            )

        inferred = checked.found
        is_all = inferred is None or not mypy.leaves_out(inferred)
        yield with_types(inferred, is_all)
        if not is_all:
            yield with_types(mypy.as_show(), True)


def _as_written(file: Path) -> Path:
    """A file as a user in the project's folder names it."""
    resolved = file.resolve()
    return resolved.relative_to(Path.cwd()) if resolved.is_relative_to(Path.cwd()) else resolved


def _held(program: Program, file: Path, texts: Mapping[Path, str]) -> dict[str, str]:
    """The text of the file, and of those that its program has and the editor holds."""
    modules = [*program.given, *program.modules.values()]
    return {
        module.path: module.text
        for module in modules
        if module.text is not None and (module.path == str(file) or Path(module.path).resolve() in texts)
    }


def _is_saved(file: Path, text: str) -> bool:
    try:
        return importlib.util.decode_source(file.read_bytes()) == text
    except (OSError, SyntaxError, ValueError):
        return False
