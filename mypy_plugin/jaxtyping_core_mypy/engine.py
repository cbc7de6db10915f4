"""The settings of one mypy run and the evaluator that serves it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from mypy.nodes import Context, MypyFile, SymbolTableNode, TypeInfo
from mypy.options import Options

from jaxtyping_core.domain.values import Call, Value, encode
from jaxtyping_core.evaluation.client import evaluator
from jaxtyping_core.evaluation.protocol import Answer, agreed, request
from jaxtyping_core.evaluation.versions import jax_version
from jaxtyping_core.programs.x64 import Switches
from jaxtyping_core.telling import tell
from jaxtyping_core.user import answers_file
from jaxtyping_core_mypy import answers, errors, run_files, settings
from jaxtyping_core_mypy.dependencies import Dependencies
from jaxtyping_core_mypy.facts import ModuleFacts
from jaxtyping_core_mypy.program_facts import ProgramFacts

SWITCHED_OFF = Answer(unknown="evaluation is switched off")


class Engine:
    """Asks JAX, under the promotion mode that the checked program runs with."""

    def __init__(self, options: Options, lookup: Callable[[str], SymbolTableNode | None]) -> None:
        self._lookup = lookup
        config_file = Path(options.config_file) if options.config_file else None
        self.settings = settings.load(Path.cwd(), config_file)
        # The interpreter whose packages mypy checks against: its JAX is the program's JAX.
        python = options.python_executable or sys.executable
        self.jax_version = jax_version(python)
        for note in self.settings.notes:
            tell(note)
        # Who wants nothing kept by mypy wants no answers kept.
        folder = None if options.cache_dir == os.devnull else Path(options.cache_dir).absolute()
        cache_file = answers_file() if folder else None
        self._evaluator = evaluator(
            *(python, self.settings.time_limit, cache_file, self.jax_version), packages=self.settings.trusted
        )
        #: The line of the module that mypy is at.
        self.line = 0
        self._told = False
        self._answers: dict[str, Answer] = {}
        self._classes: dict[str, TypeInfo] = {}
        self._lost: Answer | None = None  # the answer that was lost since the last call of `tell`
        configured = self.settings.promotion
        of_jax = configured in ("standard", "strict")
        self._mode = configured if of_jax else "standard"
        #: The promotion system of the array layer that the configuration names.
        self.configured = "jax" if of_jax else configured
        self.module = CurrentModule(self.configured)
        self.switches = Switches(run_files.of(options), self.settings.x64, self.settings.trusted)
        own = (self.settings, python, run_files.of(options), folder is not None)
        self.known = ProgramFacts(*own, checks_all=run_files.checks_all(options))
        self.dependencies = Dependencies(cache_file, folder, self.known)

    @property
    def x64(self) -> bool:
        """Whether the JAX of the program that the current module is of has 64-bit dtypes."""
        tree = self.module.tree
        return self.switches.any if tree is None else self.switches.at(tree.path, self.line)

    @property
    def system(self) -> str:
        """The promotion system of `jaxtyping_core.promotion` that JAX follows here."""
        return "jax-strict" if self.settings.promotion == "strict" else "jax"

    def find_class(self, fullname: str) -> TypeInfo:
        """The class of this name.

        Raises:
            LookupError: the stubs that mypy sees have no such class.
        """
        info = self._classes.get(fullname)  # the daemon keeps a class when its module changes
        if info is None:
            symbol = self._lookup(fullname)
            if symbol is None or not isinstance(symbol.node, TypeInfo):
                raise LookupError(f"the stubs that mypy found have no class {fullname}")
            info = self._classes[fullname] = symbol.node
        return info

    def ask(
        self,
        system: str | None,
        function: str,
        args: Sequence[Value],
        kwargs: Mapping[str, Value] | None = None,
    ) -> Answer:
        """JAX's answer to a call; an `Either` of results where unions in it make several.

        `system` is the promotion system of the array layer where the call stands, None if that is not known;
        `jaxtyping_core.evaluation.protocol` says what `function` may be.
        """
        if not self.settings.evaluate:
            return SWITCHED_OFF
        call = Call(function, tuple(args), dict(kwargs or {}))
        key = f"{system} {self.x64} {json.dumps(encode(call))}"
        answer = self._answers.get(key)
        if answer is None:
            answer = answers.of_choices(lambda choice: self._answer(choice, system), call)
            self._answers[key] = answer
        if answer.fault:
            self._lost = answer
        return answer

    def _answer(self, call: Call, system: str | None) -> Answer:
        if system == "jax":
            answer = self._exchange(call, "jax")
        elif system is None:
            answer = answers.without_dtypes(self._exchange(call, "jax"))
        else:
            both = (call, answers.of_the_layer(call))
            answer = agreed([self._exchange(choice, system) for choice in both])
        return answers.without_refusal(call, answer)

    def _exchange(self, call: Call, system: str) -> Answer:
        message = request(
            call.function, call.args, call.kwargs, x64=self.x64, promotion=self._mode, system=system
        )
        return self._evaluator.ask(message)

    def tell(self, api: Any, context: Context) -> None:
        """Say once, as a note, that evaluation does not work as it should; remember where it did not."""
        if self._lost is None:
            return
        self.dependencies.lose(api.tree.path)
        if not self._told:
            self._told = True
            api.note(errors.FAULT.format(reason=self._lost.unknown), context)
        self._lost = None

    def data(self, path: str, is_check: bool) -> list[Any]:
        """What the types in a module depend on; mypy checks the module again when this is no longer the same.

        `is_check` is false for what a module gets in mypy's cache.
        """
        settings = self.settings._replace(time_limit=0, ignored=(), mypy=False)._asdict() | {
            "trust": self.settings.trusted
        }
        data: list[Any] = [
            *settings.values(),
            self.switches.of(path),
            self.jax_version,
        ]
        if not path.endswith(".pyi"):
            data += self.dependencies.data(path, is_check)
        return data


class CurrentModule:
    """The facts of the module that is being checked."""

    def __init__(self, configured: str) -> None:
        self._configured = configured
        self._defs: Any = None
        self._facts: ModuleFacts | None = None

    @property
    def tree(self) -> MypyFile | None:
        """The module."""
        return None if self._facts is None else self._facts.tree

    def facts(self, api: Any, now: Context) -> ModuleFacts:
        """The facts of the module that the checker `api` is at, in which it has come to `now`."""
        # dmypy puts a new tree's statements into the old MypyFile: the list tells them apart, the file does not.
        if self._facts is None or self._defs is not api.tree.defs:
            self._defs, self._facts = api.tree.defs, ModuleFacts(api, now, self._configured)
        return self._facts
