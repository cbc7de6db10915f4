"""A program whose functions can be called: what it may change of its modules is unknown."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import PurePath
from typing import Any

from ....domain.dims import Dim
from ....domain.values import Own, Static, Tuple, Unknown, Value, functions_in
from ....engine import declared_checks
from ....engine.control import Control, Exhausted, Frame, RaisedException
from ....engine.facts import Facts
from ....engine.language import imports
from ....engine.language.attributes import attribute
from ....engine.scopes import Module
from ....engine.values import heap
from ....engine.values.callables import Function
from ....engine.values.unknowns import UNKNOWN
from ....sampling.errors import Refused, Undecided
from ...protocol import CODES, TOO_LONG
from .objects import Maker, value_of
from .steady import ModuleMutability
from .walked import Walked

#: The comment by which a line is not to have errors, with their codes.
IGNORED = re.compile(r"#\s*type:\s*ignore(?:\[([^\]]*)\])?")
#: Statements that give names to what they define.
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
#: Where calls come from that no statement of the program makes.
OUTSIDE = Module("", "", False)


class RefusedInside(Refused):
    """JAX refuses what a function of the program does; `kind` is one of `CODES`."""

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message)
        self.kind = kind


class Loaded:
    """A program; `sources` are its modules, as `protocol` has them, and `walked` has them all."""

    def __init__(self, sources: Mapping[str, Any], walked: Walked) -> None:
        self.walked = walked
        self.interpreter = walked.interpreter
        self.steady = ModuleMutability(self.interpreter, sources)
        self._sources = sources
        self._modules = sources["modules"]
        self._lines = {
            module["path"]: (module["text"] or "").splitlines() for module in self._modules.values()
        }

    @property
    def is_whole(self) -> bool:
        """Whether no module of another program has changed what those of this one hold."""
        return self.walked.is_whole(self._sources)

    def walk(self, names: Iterable[str]) -> None:
        """Walk the top levels of modules, and of those that they import."""
        for name in names:
            self.walked.walk(name, self.steady)

    def call(self, call: Value, dim: Callable[[Dim], int]) -> Value:
        """What a call gives.

        Raises:
            RefusedInside: JAX refuses what the function does.
            Undecided: that is not known.
        """
        import jax

        for own in functions_in(call):
            if own.module:
                self.walked.module(own.module)
        interpreter = self.interpreter
        result: Value = Unknown()

        def whole() -> None:
            nonlocal result
            result = value_of(
                Maker(interpreter, self._find, self._body, dim, self.steady.holds).make(call, {})
            )

        with self._untouched():
            try:
                jax.eval_shape(whole)
            except Exhausted:
                raise Undecided(TOO_LONG) from None
            except (RaisedException, Control) as left:
                raise Undecided(f"the function ends with {type(left).__name__}") from None
            refusals = [
                refusal
                for refusal in interpreter.diagnostics.refusals.values()
                if not self._is_ignored(refusal)
            ]
            if refusals:
                raise self._refused(refusals[0])
        return result

    def declared(self, own: Own) -> Value:
        """What is wrong in the body of a function for all arguments that it declares.

        Raises:
            Undecided: that is not known.
        """
        import jax

        self.walked.module(own.module)

        def whole() -> None:
            declared_checks.check(self.interpreter, self._body(own))

        with self._untouched():
            try:
                jax.eval_shape(whole)
            except Exhausted:
                raise Undecided(TOO_LONG) from None
            return Tuple(
                tuple(
                    Tuple(tuple(Static(refusal[part]) for part in ("line", "kind", "message")))
                    for refusal in self.interpreter.diagnostics.refusals.values()
                    if not self._is_ignored(refusal)
                )
            )

    @contextmanager
    def _untouched(self) -> Iterator[None]:
        """What happens within leaves no trace in the program."""
        interpreter = self.interpreter
        self.walked.settle(self.steady, self._modules)
        before = heap.now()
        walked = set(interpreter.modules)
        kept, functions, made = len(interpreter.kept), set(interpreter.functions), set(interpreter.made)
        drawn, facts = dict(interpreter.drawn), interpreter.facts
        interpreter.diagnostics.refusals.clear()
        interpreter.facts = Facts()
        interpreter.frames[:] = [Frame(OUTSIDE.scope, "<call>", "", 0)]
        interpreter.node = None
        interpreter.escaped_functions.clear()
        try:
            yield
        finally:
            before.restore()
            interpreter.frames.clear()
            tables: list[tuple[dict[Any, Any], set[Any]]] = [
                (interpreter.functions, functions),
                (interpreter.made, made),
                (interpreter.modules, walked),
            ]
            for table, known in tables:
                for key in table.keys() - known:
                    del table[key]
            del interpreter.kept[kept:]
            interpreter.drawn, interpreter.facts = drawn, facts

    def _find(self, own: Own) -> Any:
        if not own.module:
            root, *names = own.name.split(".")
            value = imports.module(self.interpreter, root)
            for name in names:
                value = attribute(self.interpreter, value, name)
            return value
        return self.interpreter.modules[own.module].scope.variables.get(own.name, UNKNOWN)

    def _body(self, own: Own) -> Function:
        """The function that is defined under a name in a module, or in a class of it."""
        part: ast.AST = self.interpreter.texts[own.module][1]
        for name in own.name.split("."):
            inner = [node for node in ast.iter_child_nodes(part) if isinstance(node, DEFINITIONS)]
            part = next((node for node in reversed(inner) if node.name == name), ast.Pass())
        definitions = [made for made in self.interpreter.functions.values() if made.node is part]
        if len(definitions) != 1:
            raise Undecided(f"{own.name} is not defined once")
        return definitions[0]

    def _is_ignored(self, refusal: Mapping[str, Any]) -> bool:
        """Whether a comment in the body says that it is not to be reported."""
        lines = self._lines.get(refusal["file"], [])
        line = lines[refusal["line"] - 1] if 0 < refusal["line"] <= len(lines) else ""
        comment = IGNORED.search(line)
        return comment is not None and (comment[1] is None or CODES[refusal["kind"]] in comment[1])

    def _refused(self, refusal: Mapping[str, Any]) -> RefusedInside:
        """The refusal in words that tell where in the function it is."""
        message = str(refusal["message"])
        file, line = str(refusal["file"]), int(refusal["line"])
        if file:
            name = self._function_at(file, line)
            message = f"in {name} ({PurePath(file).name}:{line}): {message}"
        return RefusedInside(message, str(refusal["kind"]))

    def _function_at(self, file: str, line: int) -> str:
        trees = [tree for path, tree, _ in self.interpreter.texts.values() if path == file]
        around = [
            node
            for tree in trees
            for node in ast.walk(tree)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            and node.lineno <= line <= (node.end_lineno or line)
        ]
        return max(around, key=lambda node: node.lineno).name if around else "<module>"
