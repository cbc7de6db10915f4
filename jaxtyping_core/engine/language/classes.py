"""The program's classes: real classes, so that JAX and the libraries take their objects, whose methods are walked."""

from __future__ import annotations

import ast
import enum
import types
from typing import TYPE_CHECKING, Any

from ...identity import identity
from ..libraries import gate
from ..libraries.special_names import METHODS, is_closed_name, is_special, may_name
from ..scopes import Scope
from ..values.unknowns import UNKNOWN, Unknown, is_unknown
from . import contracts

if TYPE_CHECKING:
    from ..interpreter import Machine

#: Special names of a class body that are left out without a word: nothing is lost, or Python sets them itself.
DROPPED = frozenset({"__slots__", "__module__", "__qualname__"})
#: Those that are data.
OF_DATA = frozenset(
    {"__annotations__", "__doc__", "__match_args__", "__array_priority__", "__version__", "__author__"}
)


def make(machine: Machine, node: ast.ClassDef, scope: Scope) -> Any:
    """The class that a statement defines; unknown if one of its bases is."""
    decorators = [machine.value(decorator, scope) for decorator in node.decorator_list]
    parameters = contracts.type_parameters(machine, node, scope)
    if parameters:  # seen in what follows, and what the class is generic in (PEP 695)
        scope = Scope(scope, scope.module, parameters)
    bases = [machine.value(base, scope) for base in node.bases]
    if parameters:
        bases.append(contracts.generic_in(list(parameters.values())))
    keywords = {word.arg: machine.value(word.value, scope) for word in node.keywords if word.arg}
    inner = Scope(scope, scope.module, {}, of_class=True)
    inner.variables["__module__"] = "__program__"
    inner.variables["__qualname__"] = node.name
    before = len(machine.kept)
    machine.block(node.body, inner)
    if "metaclass" in keywords and not _is_library(machine, keywords["metaclass"]):
        return UNKNOWN
    if any(is_unknown(base) or not _may_be_base(machine, base) for base in bases):
        machine.diagnostics.note(f"{scope.module.path}:{node.lineno}: a base class of {node.name} is unknown")
        return UNKNOWN
    if any(is_unknown(word) for word in keywords.values()):
        return UNKNOWN
    if not gate.may_have(machine, list(keywords.values())):
        machine.diagnostics.note(
            f"{scope.module.path}:{node.lineno}: class {node.name} is not evaluated: its keyword arguments are not plain values"
        )
        return UNKNOWN
    contents = {"__module__": "__program__", "__qualname__": node.name, **_contents(machine, inner)}
    try:
        cls = types.new_class(node.name, tuple(bases), keywords, lambda namespace: _fill(namespace, contents))
    except Exception as error:  # real code may raise anything, which is told
        machine.diagnostics.note(
            f"{scope.module.path}:{node.lineno}: class {node.name} is not evaluated: {error}"
        )
        return UNKNOWN
    machine.classes[cls] = node
    machine.scopes[cls] = inner
    for made in machine.kept[before:]:
        function = machine.functions.get(identity(made))
        if function is not None and function.scope is inner:
            function.cls = function.cls or cls
    value: Any = cls
    for decorator in reversed(decorators):
        machine.node = node
        value = machine.call(decorator, [value], {})
    if isinstance(value, type) and value is not cls:  # ``dataclass(slots=True)`` makes another
        machine.classes[value] = node
        machine.scopes[value] = inner
        for made in machine.kept[before:]:
            function = machine.functions.get(identity(made))
            if function is not None and function.cls is cls:
                function.cls = value
    return value


def _contents(machine: Machine, body: Scope) -> dict[str, Any]:
    """What of a class body becomes part of the class."""
    kept: dict[str, Any] = {}
    for name, value in body.variables.items():
        if name in DROPPED:
            continue
        if name == "__annotations__":
            kept[name] = _annotations(machine, value, body)
        elif name == "__getattr__" and identity(value) in machine.functions:
            kept[name] = _asked(value)
        elif not is_special(name):
            kept[name] = (
                value if gate.may_have(machine, value) else machine.left_out(f"what is assigned to {name}")
            )
        elif _is_plain(name, value) or (name in METHODS and gate.may_have(machine, value)):
            kept[name] = value
        else:
            machine.left_out(f"the attribute {name}")
    return kept


def _is_plain(name: str, value: Any) -> bool:
    """Whether a special name has data of the kind that Python expects."""
    if name == "__match_args__":
        return type(value) is tuple and all(map(may_name, value))
    return name in OF_DATA and type(value) in (str, int, float, type(None))


def _annotations(machine: Machine, declared: Any, body: Scope) -> dict[str, Any]:
    """What libraries see of annotations: those of names that can be no code."""
    if type(declared) is not dict:
        return {}
    for name in declared:
        if not may_name(name):
            machine.left_out(f"the field {name}")
    return {name: _annotation(machine, value, body) for name, value in declared.items() if may_name(name)}


def _asked(function: Any) -> Any:
    """``__getattr__``, which is not asked for special names that no object of a program has."""

    def asked(self: Any, name: str) -> Any:
        if is_closed_name(name):
            raise AttributeError(name)
        return function(self, name)

    return asked


def _fill(namespace: dict[str, Any], contents: dict[str, Any]) -> None:
    for name, value in contents.items():
        if isinstance(namespace, enum._EnumDict) and name in namespace:
            continue
        namespace[name] = value


def _annotation(machine: Machine, value: Any, scope: Scope) -> Any:
    """The annotation of a field as libraries see it: unknown ones are of any type.

    A text becomes what it says, for libraries would evaluate it.
    """
    if isinstance(value, str):
        value = contracts.of_text(machine, value, scope)
    return Any if isinstance(value, (Unknown, str)) else value


def _is_library(machine: Machine, cls: Any) -> bool:
    return isinstance(cls, type) and cls not in machine.classes and machine.libraries.is_trusted(cls)


def _may_be_base(machine: Machine, base: Any) -> bool:
    if isinstance(base, type):
        if issubclass(base, type):
            return False
        if base in machine.classes or base in machine.libraries.BASES:
            return True
        return (
            base.__module__ not in ("builtins", "types")
            and machine.libraries.is_trusted(base)
            and machine.libraries.may_see(base)
        )
    return hasattr(base, "__mro_entries__") and machine.libraries.is_trusted(base)
