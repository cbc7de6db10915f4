"""Calls that the program may make although the walk cannot tell which functions they call.

Such a call is on an object of which nothing is known, or in a text that the walk does not get to. It may be one of any function
that has its name; of a method, only where the program has used its class. This is rapid type analysis
(https://doi.org/10.1145/236337.236371) for what the walk leaves open.

Each file that was given is a process of its own where it is run. What one of them calls says nothing of what another one calls.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import jax

from ..identity import identity
from .facts import CALLED
from .values.unknowns import UNKNOWN

if TYPE_CHECKING:
    from .interpreter import Interpreter
    from .scopes import Module
    from .values.callables import Function

#: What stands for the special methods of an object, and for those that a framework calls when it makes or uses one.
SPECIAL = "__call__"
OF_FRAMEWORKS = frozenset({"setup"})
#: What stands for whatever an object of the program holds that is not known.
MEMBER = "."


class Told(NamedTuple):
    """The names and classes of an `Unresolved`."""

    names: set[str]
    classes: set[str]
    imported: set[str]


class Unresolved:
    """What a program may call, the classes that it has used, and the functions that it is seen to call.

    Attributes:
        imported: the classes that it has imported. One of several programs may import all of them, and use one.
        reached: the functions that it calls.
        modules: the modules of the program that it imports.
        switches: whether it has switched 64-bit types on or off, each time that it did.
        widths: whether they are on in a context, where something unknown is used in it.
        is_one_of_several: whether it is one entry of several.
    """

    def __init__(self, interpreter: Interpreter, is_one_of_several: bool = False) -> None:
        self._machine = interpreter
        self.is_one_of_several = is_one_of_several
        self.names: set[str] = set()
        self.classes: set[str] = set()
        self.imported: set[str] = set()
        self.reached: set[int] = set()
        self.modules: set[str] = set()
        self.switches: list[bool] = []
        self.widths: set[bool] = set()
        #: Methods of objects that something unknown has, and those of which a walk has seen what else may call them.
        self.escaped: dict[int, Function] = {}
        #: The fields by which something unknown gets to the objects that these are methods of.
        self.fields: dict[int, set[str]] = {}
        #: Functions that something unknown may call from the time on when it got them, each with whether 64-bit types were on then.
        self.passed: dict[int, tuple[Function, set[bool]]] = {}
        self._seen: set[int] = set()

    def uses(self, name: str) -> None:
        """An object of which nothing is known is used: what has this name, or is special, may be called."""
        if self._machine.entry.kind == CALLED:
            self.names |= {name, SPECIAL}
            if self._machine.width_contexts:
                self.widths.add(bool(jax.config.jax_enable_x64))

    def escapes(self, function: Function, field: str) -> None:
        """Something unknown has an object with this method, and may have put the object where the program looks for one.

        `field` is by what it has the object, or a method of it, as a state has ``apply_fn=model.apply``.
        """
        node = identity(function.node)
        self.escaped[node] = function
        self.fields.setdefault(node, set()).add(field)

    def passes(self, function: Function) -> None:
        """Something unknown gets a function, and a walk sees what it does with 64-bit types as they are now."""
        _, widths = self.passed.setdefault(identity(function.node), (function, set()))
        widths.add(bool(jax.config.jax_enable_x64))

    def with_other_width(self, setting: bool) -> list[Function]:
        """The functions that something unknown may call with 64-bit types on, or off, where no walk has seen that."""
        functions = [function for function, widths in self.passed.values() if setting not in widths]
        for _, widths in self.passed.values():
            widths.add(setting)
        return functions

    def member(self, value: Any) -> Any:
        """What an object of the program holds, as the program sees it: if that is not known, it may be any."""
        if value is UNKNOWN and self._machine.entry.kind == CALLED:
            self.names.add(MEMBER)
        return value

    def reads(self, value: Any, imports: bool = False) -> None:
        """A value was read of a variable, or has got to where it is not seen any more; with `imports`, it was imported."""
        if isinstance(value, type) and value in self._machine.classes and self._machine.entry.kind == CALLED:
            (self.imported if imports else self.classes).add(value.__name__)

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
        is_out_of_sight = interpreter.has_unknown_libraries
        again = [
            function
            for function in self.escaped.values()
            if (is_out_of_sight or self._is_of_field(function)) and self._is_asked_for(function)
        ]
        self._seen.update(identity(function.node) for function in again)
        names = self.classes if self.is_one_of_several else self.classes | self.imported
        used = {base for cls in interpreter.classes if cls.__name__ in names for base in cls.__mro__}
        return again + [
            function
            for function in interpreter.functions.values()
            if not isinstance(function.node, ast.Lambda)
            and identity(function.node) not in self.reached
            and (function.cls is None or function.cls in used)
            and self._has_name(function.name)
        ]

    def told(self) -> Told:
        """What is the same in another evaluation."""
        return Told(self.names, self.classes, self.imported)

    def take(self, told: Told) -> None:
        """What was told of a part of an evaluation."""
        self.names |= told.names
        self.classes |= told.classes
        self.imported |= told.imported

    def take_all(self, part: Unresolved) -> None:
        """What was met in a part of the evaluation, or in one of several entries."""
        self.take(part.told())
        self.reached |= part.reached
        self.modules |= part.modules
        self.switches += part.switches
        self.widths |= part.widths
        self.escaped |= part.escaped
        for node, (function, widths) in part.passed.items():
            self.passed.setdefault(node, (function, set()))[1].update(widths)
        for node, fields in part.fields.items():
            self.fields.setdefault(node, set()).update(fields)
        self._seen |= part._seen

    def settings(self, otherwise: bool) -> list[bool]:
        """Whether 64-bit types are on where what the program may call is called: both, if it switches them."""
        return sorted({*(self.switches or [otherwise]), *self.widths})

    def imports(self, module: Module) -> None:
        """The program imports a module, which may have been walked for another one."""
        of_module = self._machine.of_modules.get(identity(module))
        if module.name not in self.modules and of_module is not None:
            self.modules.add(module.name)
            self.take_all(of_module)

    def _is_of_field(self, function: Function) -> bool:
        """Whether the program asks something unknown for a field by which that may have the object."""
        fields = self.fields.get(identity(function.node), ())
        return function.name == SPECIAL and not self.names.isdisjoint(fields)

    def _is_asked_for(self, function: Function) -> bool:
        node = identity(function.node)
        is_new = node in self.reached and node not in self._seen
        is_called = self._is_of_field(function)
        is_known = function.name == SPECIAL and MEMBER not in self.names
        return is_new and (is_called or (not is_known and self._has_name(function.name)))

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
