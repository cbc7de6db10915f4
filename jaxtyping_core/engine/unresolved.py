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
from .values.unknowns import UNKNOWN

if TYPE_CHECKING:
    from .interpreter import Interpreter
    from .values.callables import Function

#: What stands for the special methods of an object, and for those that a framework calls when it makes or uses one.
SPECIAL = "__call__"
OF_FRAMEWORKS = frozenset({"setup"})
#: What stands for whatever an object of the program holds that is not known.
MEMBER = "."


class Unresolved:
    """What the program may call, and the classes that it has used."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._machine = interpreter
        self.names: set[str] = set()
        self.classes: set[str] = set()
        #: Methods of objects that something unknown has, and those of which a walk has seen what else may call them.
        self.escaped: dict[int, Function] = {}
        self._seen: set[int] = set()

    def uses(self, name: str) -> None:
        """An object of which nothing is known is used: what has this name, or is special, may be called."""
        if self._machine.entry.kind == CALLED:
            self.names |= {name, SPECIAL}

    def escapes(self, function: Function) -> None:
        """Something unknown has an object with this method, and may have put the object where the program looks for one."""
        self.escaped[identity(function.node)] = function

    def member(self, value: Any) -> Any:
        """What an object of the program holds, as the program sees it: if that is not known, it may be any."""
        if value is UNKNOWN and self._machine.entry.kind == CALLED:
            self.names.add(MEMBER)
        return value

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
        """Those of the program's functions that it may call, and of which no walk has seen that.

        A method that some calls get to counts if the program asks for its name where it knows nothing of the object, and such
        an object is out of sight: what those calls say of it is not all.
        """
        interpreter = self._machine
        escaped = self.escaped.values() if interpreter.has_unknown_libraries else ()
        again = [function for function in escaped if self._is_asked_for(function)]
        self._seen.update(identity(function.node) for function in again)
        used = {base for cls in interpreter.classes if cls.__name__ in self.classes for base in cls.__mro__}
        return again + [
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

    def _is_asked_for(self, function: Function) -> bool:
        node = identity(function.node)
        is_new = node in self._machine.reached and node not in self._seen
        is_known = function.name == SPECIAL and MEMBER not in self.names
        return is_new and not is_known and self._has_name(function.name)

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
