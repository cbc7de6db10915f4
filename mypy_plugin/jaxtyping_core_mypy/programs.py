"""Asks about calls of the program's own functions: in a child of their own, for what a program does must not last."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from mypy.nodes import MypyFile

from jaxtyping_core.domain.values import Call, Own, Value, encode, functions_in, transform
from jaxtyping_core.errors import CommandError
from jaxtyping_core.evaluation.client import evaluator
from jaxtyping_core.evaluation.protocol import BODY, TOO_LONG, Answer, request
from jaxtyping_core.evaluation.versions import packages_digest
from jaxtyping_core.settings import Settings
from jaxtyping_core_mypy import unions
from jaxtyping_core_mypy.dependencies import Asked, Dependencies

if TYPE_CHECKING:
    from jaxtyping_core.programs.functions import Reading, Sources

#: The argument of the child that answers.
CHILD = ("functions",)
#: How many seconds longer than its own limit the child may take to say that it has passed it.
GRACE = 2.0
#: The processor seconds that a body, and a call, may take: there are many of both, and most take a tenth of one.
OF_BODIES, OF_CALLS = 3.0, 5.0
#: The processor seconds of all calls and bodies that took too long. After these a run is patient no more, which is not how most
#: runs end: what has taken too long is remembered.
OF_RUN = 30.0
#: What each of them may take after that.
OF_LATER = 0.5
NOT_FOUND = Answer(unknown="the source of the function is not found")


class Programs:
    """The program that mypy checks, as far as its functions are called.

    Args:
        cache_file: where answers are kept; None for nowhere.
        folder: mypy's own cache.
        mode: JAX's promotion mode.
    """

    def __init__(
        self,
        settings: Settings,
        python: str,
        cache_file: Path | None,
        folder: Path | None,
        jax_version: str,
        mode: str,
    ) -> None:
        self._settings = settings
        self._mode = mode
        self._python = python
        self._evaluator = evaluator(
            *(python, settings.time_limit, cache_file, jax_version, CHILD), packages=settings.trusted
        )
        self._project = str(Path.cwd())
        self._sources: dict[Asked, Sources | None] = {}
        self._reading: Reading | None = None
        self._answers: dict[tuple[str, str], Answer] = {}
        #: What took longer than it may, by the source that it reached: other calls of the same function would, too.
        self._too_long: set[tuple[str, Own]] = set()
        self._patience = OF_RUN
        self._dependencies = Dependencies(cache_file, folder, self._sources_of)

    def data(self, module: str, is_check: bool) -> list[str]:
        """What the types in a module depend on besides what mypy knows of: the source of functions that are called.

        `is_check` is false for what a module gets in mypy's cache.
        """
        digest = self._dependencies.known(module) if is_check else self._dependencies.keep(module)
        return [] if digest is None else [digest]

    def forget(self) -> None:
        """Read the source again from now on: it may be another."""
        self._sources.clear()
        self._reading = None

    def ask(self, call: Call, caller: MypyFile | None, x64: bool) -> Answer:
        """The answer to a call that functions of the program take part in.

        Args:
            call: the call.
            caller: the module with the call.
            x64: whether it has 64-bit types there.
        """
        files = frozenset(own.module for own in functions_in(call) if own.module)
        asked = Asked(files, caller.path if files and caller is not None else None)
        sources = self._sources_of(asked)
        if files and caller is not None:
            self._dependencies.add(caller.fullname, asked)
        if sources is None:
            return NOT_FOUND
        named = transform(call, _renamed(sources))
        assert isinstance(named, Call)
        key = (f"{sources.digest} {x64}", json.dumps(encode(named)))
        if key not in self._answers:
            self._answers[key] = unions.ask(
                lambda choice: self._exchange(choice, sources, x64), named, lengths=False
            )
        return self._answers[key]

    def _sources_of(self, asked: Asked) -> Sources | None:
        from jaxtyping_core.programs.functions import Reading  # most runs need it for nothing

        if asked not in self._sources:
            self._reading = self._reading or Reading(self._settings.trusted)
            paths = [Path(file) for file in sorted(asked.files)]
            try:
                sources = self._reading.sources_of(paths, Path(asked.caller) if asked.caller else None)
            except CommandError:
                sources = None
            self._sources[asked] = sources
        return self._sources[asked]

    def _exchange(self, call: Call, sources: Sources, x64: bool) -> Answer:
        called = call.args[0] if call.args else None
        about = sources.about(call)
        slow = (about["definitions"], called) if isinstance(called, Own) else None
        if slow in self._too_long:
            return Answer(unknown=TOO_LONG)
        most = (OF_BODIES if call.function == BODY else OF_CALLS) if self._patience > 0 else OF_LATER
        seconds = min(self._settings.time_limit, most)
        message = {
            **request(call.function, call.args, call.kwargs, x64=x64, promotion=self._mode),
            "of": sources.digest,
            "seconds": seconds,
            "packages": packages_digest(self._python),
        }
        answer = self._evaluator.ask(message, seconds + GRACE, about, self._project)
        if answer.unknown == TOO_LONG:
            self._patience -= seconds
            if slow is not None:
                self._too_long.add(slow)
        # What a child that lives cannot do is an unknown like others; that one died is told.
        return answer._replace(fault=answer.again)


def _renamed(sources: Sources) -> Callable[[Value], Value]:
    """Puts the names of modules in the place of their files."""

    def change(part: Value) -> Value:
        if not isinstance(part, Own) or not part.module:
            return part
        return Own(sources.names.get(Path(part.module).resolve(), ""), part.name)

    return change
