"""Calls that the program may make although the walk cannot tell which functions they call.

Such a call is on an object of which nothing is known, or in a text that the walk does not get to. It may be one of any function
that has its name; of a method, only where the program has used its class. This is rapid type analysis
(https://doi.org/10.1145/236337.236371) for what the walk leaves open.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ..identity import identity
from .facts import CALLED

if TYPE_CHECKING:
    from .interpreter import Interpreter
    from .values.callables import Function

#: What stands for the special methods of an object, and for those that a framework calls when it makes or uses one.
SPECIAL = "__call__"
OF_FRAMEWORKS = frozenset({"setup"})


class Unresolved:
    """What the program may call, and the classes that it has used."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._machine = interpreter
        self.names: set[str] = set()
        self.classes: set[str] = set()

    def uses(self, name: str) -> None:
        """An object of which nothing is known is used: what has this name, or is special, may be called."""
        if self._machine.entry.kind == CALLED:
            self.names |= {name, SPECIAL}

    def reads(self, value: Any) -> None:
        """A value was read of a variable, or has got to where it is not seen any more."""
        if isinstance(value, type) and value in self._machine.classes and self._machine.entry.kind == CALLED:
            self.classes.add(value.__name__)

    def skips(self, node: ast.AST) -> None:
        """The walk does not get to a part of the program."""
        if self._machine.entry.kind == CALLED:
            names = {*_named(node)}
            self.names |= names
            self.classes |= names

    def functions(self) -> list[Function]:
        """Those of the program's functions that it may call, of those that no walk of its calls has got to."""
        interpreter = self._machine
        used = {base for cls in interpreter.classes if cls.__name__ in self.classes for base in cls.__mro__}
        return [
            function
            for function in interpreter.functions.values()
            if not isinstance(function.node, ast.Lambda)
            and identity(function.node) not in interpreter.reached
            and (function.cls is None or function.cls in used)
            and self._has_name(function.name)
        ]

    def take(self, names: Iterable[str], classes: Iterable[str]) -> None:
        """What was met in a part of the evaluation."""
        self.names.update(names)
        self.classes.update(classes)

    def _has_name(self, name: str) -> bool:
        is_special = (name.startswith("__") and name.endswith("__")) or name in OF_FRAMEWORKS
        return (SPECIAL if is_special else name) in self.names


def _named(node: ast.AST) -> Iterator[str]:
    """The names that a part of the program mentions."""
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            yield each.id
        elif isinstance(each, ast.Attribute):
            yield each.attr
