"""Modules of programs, whose top levels are walked once for all that is asked about them.

What is asked of a module depends on who asks: the caller's module may change variables too. The walk of its top level does not. So
programs share the modules that they have in common, and `ModuleMutability` makes unknown what may change for each of them.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from ....engine import session
from ....engine.control import Control, Exhausted
from ....engine.interpreter import Interpreter
from ....engine.language import imports
from ....engine.libraries.trust_policy import TrustPolicy
from ....engine.scopes import Module, Scope
from ....engine.values.contents import contents_of
from ....engine.values.states import Snapshot, TooLarge
from ....engine.values.unknowns import UNKNOWN
from ....identity import identity
from ....sampling.errors import Undecided
from .steady import ModuleMutability

#: The steps that the top levels of all modules may take, and those that one statement may take. Imports take a hundredth of
#: the first, and the definition of a layer of a library half of the second. A script does at its top level all that it does.
OF_TOP_LEVELS, OF_STATEMENT = 60_000, 2_000
#: The steps that a statement may take after all steps are used up.
OF_LATER_STATEMENT = 20
#: The processor seconds for the modules that one question needs, as a second limit: a step may take any time.
SECONDS = 20.0
#: Variables, each with its module.
Variables = frozenset[tuple[str, str]]
#: Statements that are always walked.
IMPORTS = (ast.Import, ast.ImportFrom)


class TopLevels(Interpreter):
    """Walks the top levels of modules. A statement that takes too long is left out, and the walk goes on after it."""

    def __init__(self, trusted: Sequence[str]) -> None:
        self.known: dict[str, tuple[str, ast.Module, bool]] = {}
        super().__init__(self.known, TrustPolicy(trusted), 0.0, compares=False)
        #: What the source of the program changes whose modules are walked: if a statement is left out, nobody knows how far it got.
        self.steady: ModuleMutability | None = None
        self._left = OF_TOP_LEVELS

    def top_level(self, body: Sequence[ast.stmt], scope: Scope) -> None:
        """Walk the statements of a module, each within its limit."""
        if self.steady is None:
            super().top_level(body, scope)
            return
        with self.budget.apart():
            for statement in body:
                steps, left, frames = self.budget.steps, self._left, len(self.frames)
                try:
                    with self.budget.at_most(steps=min(OF_STATEMENT, max(left, OF_LATER_STATEMENT))):
                        self.block([statement], scope)
                except Exhausted:
                    del self.frames[frames:]
                    self._give_up(statement, scope, self.steady)
                # The modules that it has imported have counted their own steps.
                self._left = min(self._left, left - (self.budget.steps - steps))

    def _give_up(self, statement: ast.stmt, scope: Scope, steady: ModuleMutability) -> None:
        """Leave out a statement that has taken too long, and may have done a part of what it does."""
        is_import = isinstance(statement, IMPORTS) or any(map(_imports_all, ast.walk(statement)))
        if is_import or self.budget.is_over:
            raise Exhausted
        nodes = list(ast.walk(statement))
        names = {node.id for node in nodes if isinstance(node, ast.Name)}
        attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
        steady.settle(self.modules.values(), also=frozenset(names | attributes))
        steady.keep()
        self.leave_out(statement, scope)


def _imports_all(node: ast.AST) -> bool:
    return isinstance(node, ast.ImportFrom) and node.names[0].name == "*"


class Walked:
    """Some modules that programs have in common.

    Args:
        trusted: the packages that an evaluation may call.

    Attributes:
        interpreter: what has walked them.
        modules: the modules, as `protocol` has them; not all have been walked.
    """

    def __init__(self, trusted: Sequence[str]) -> None:
        self.interpreter = TopLevels(trusted)
        self.modules: dict[str, Any] = {}
        self._imported: set[str] = set()
        #: Why modules could not be walked.
        self._problems: dict[str, str] = {}
        #: The modules that have changed what those that were walked before them hold, with the variables that are unknown
        #: since; None where more than that has changed.
        self._changing: dict[str, Variables | None] = {}
        self._settled: ModuleMutability | None = None

    def takes(self, sources: Mapping[str, Any]) -> bool:
        """Whether a program may share these modules: those of the same names are the same, and import the same."""
        modules = sources["modules"]
        new = modules.keys() - self.modules.keys()
        others = self.modules.keys() - modules.keys()
        return (
            self.is_whole(sources)
            and all(module == self.modules.get(name, module) for name, module in modules.items())
            and self._imported.isdisjoint(new)
            and all(others.isdisjoint(module["imports"]) for module in modules.values())
        )

    def is_whole(self, sources: Mapping[str, Any]) -> bool:
        """Whether a program has all modules that have changed what others hold, but for what it does not know anyway."""
        modules = sources["modules"]
        return all(
            name in modules or (changed is not None and _knows_none(sources, changed))
            for name, changed in self._changing.items()
        )

    def shares(self, sources: Mapping[str, Any]) -> int:
        """How many modules of a program have been walked."""
        return len(sources["modules"].keys() & self.interpreter.modules.keys())

    def add(self, sources: Mapping[str, Any]) -> None:
        """Take the modules of a program that are not there yet."""
        import jax

        modules = sources["modules"]
        new = {name: module for name, module in modules.items() if name not in self.modules}
        if not new:
            return
        # What libraries compute when they are imported is no part of any trace.
        with jax.ensure_compile_time_eval():
            session.prepare(sources, new)
        self.interpreter.natives.take()
        texts, _ = session.parsed({"modules": new})
        self.interpreter.known.update(texts)
        self.modules.update(new)
        self._imported.update(*(module["imports"] for module in new.values()))

    def walk(self, name: str, steady: ModuleMutability) -> None:
        """Walk a module, and those that it imports; `steady` is of a program with all of them."""
        interpreter = self.interpreter
        if name in interpreter.modules or name not in interpreter.texts:
            return
        self._unsettle()
        before, walked = self._state(), set(interpreter.modules)
        problem, after = None, None
        interpreter.steady = steady
        interpreter.budget.renew(SECONDS)
        try:
            # `ModuleMutability` knows from the source what functions may change at any time.
            with interpreter.within(ignores_escaped=True):
                imports.of_program(interpreter, name)
            after = self._state()
        except (Exhausted, TooLarge):
            problem = "the top level of the modules takes too much"
        except Control as control:
            problem = f"the module ends with {type(control).__name__}"
        finally:
            interpreter.frames.clear()
            interpreter.steady = None
        new = interpreter.modules.keys() - walked
        if problem is not None:
            self._problems.update(dict.fromkeys(new, problem))
        if before is None:
            return
        # What nothing holds any more is no matter: what held it has changed.
        changes = [
            _changes(value, held)
            for value, held in before
            if after is None or identity(value) in after.contents
        ]
        if any(change is None or change for change in changes):
            all_named = (
                None if None in changes else frozenset[tuple[str, str]]().union(*filter(None, changes))
            )
            self._changing.update(dict.fromkeys(new, all_named))

    def module(self, name: str) -> Module:
        """A module that has been walked.

        Raises:
            Undecided: it has not been, or not to its end.
        """
        problem = self._problems.get(name)
        if name not in self.interpreter.texts:
            problem = f"{name} cannot be read"
        elif name not in self.interpreter.modules:
            problem = f"{name} has not been walked"
        elif self.interpreter.modules[name].failed:
            problem = f"{name} ends with an exception"
        if problem is not None:
            raise Undecided(problem)
        return self.interpreter.modules[name]

    def settle(self, steady: ModuleMutability, modules: Mapping[str, Any]) -> list[Module]:
        """The modules of a program that have been walked, whose variables are unknown where that program may change them."""
        mine = [module for name, module in self.interpreter.modules.items() if self._is_of(name, modules)]
        if self._settled is not steady:
            self._unsettle()
            steady.settle(mine, frozenset(self.modules.keys() - modules.keys()))
            self._settled = steady
        return mine

    def _is_of(self, name: str, modules: Mapping[str, Any]) -> bool:
        return name in modules or name not in self.modules  # a folder is a package without a file

    def _unsettle(self) -> None:
        if self._settled is not None:
            self._settled.unsettle()
        self._settled = None

    def _state(self) -> Snapshot | None:
        """What the modules hold that have been walked.

        Raises:
            TooLarge: that is too much.
        """
        scopes = [module.scope for module in self.interpreter.modules.values()]
        return Snapshot(scopes, self.interpreter.scope_of) if scopes else None


def _knows_none(sources: Mapping[str, Any], variables: Variables) -> bool:
    """Whether a program has none of some variables, or changes what they hold, so that it does not know them anyway."""
    return all(module not in sources["modules"] or name in sources["changed"] for module, name in variables)


def _changes(value: Any, held: Any) -> Variables | None:
    """The variables in a container that are unknown now, if they are all that has changed; None if there is more.

    That modules have others since, which packages hold, is no change.
    """
    now = contents_of(value)
    if isinstance(held, dict):
        new = now.keys() - held.keys()
        if any(not (isinstance(value, Scope) and isinstance(now[key], Module)) for key in new):
            return None
        changed = {key for key, each in held.items() if now.get(key, held) is not each}
        if not changed:
            return frozenset()
        if not isinstance(value, Scope) or any(now.get(key) is not UNKNOWN for key in changed):
            return None
        return frozenset((value.module.name, key) for key in changed)
    if isinstance(held, set):
        return frozenset() if held == now else None
    is_same = len(held) == len(now) and all(a is b for a, b in zip(held, now, strict=True))
    return frozenset() if is_same else None
