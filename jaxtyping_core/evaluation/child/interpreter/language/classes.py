"""The program's classes: real classes, so that JAX and the libraries take their objects, whose methods are walked."""

from __future__ import annotations

import ast
import enum
import types
from typing import TYPE_CHECKING, Any

from ..scopes import Scope
from ..values.unknowns import UNKNOWN, Unknown
from . import contracts

if TYPE_CHECKING:
    from ..machine import Machine

#: Names in a class body that Python itself would act on when the class or an object of it ends.
DROPPED = frozenset(
    {"__del__", "__class_getitem__", "__slots__", "__prepare__", "__mro_entries__", "__instancecheck__"}
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
    if any(isinstance(base, Unknown) or not _may_be_base(machine, base) for base in bases):
        machine.note(f"{scope.module.path}:{node.lineno}: a base of {node.name} is not known")
        return UNKNOWN
    if any(isinstance(word, Unknown) for word in keywords.values()):
        return UNKNOWN
    contents = {name: value for name, value in inner.variables.items() if name not in DROPPED}
    if "__annotations__" in contents:
        declared = contents["__annotations__"].items()
        contents["__annotations__"] = {name: _annotation(machine, value, inner) for name, value in declared}
    try:
        cls = types.new_class(node.name, tuple(bases), keywords, lambda namespace: _fill(namespace, contents))
    except Exception as error:  # real code may raise anything, which is told
        machine.note(f"{scope.module.path}:{node.lineno}: class {node.name} is not evaluated: {error}")
        return UNKNOWN
    machine.classes[cls] = node
    machine.scopes[cls] = inner
    for made in machine.kept[before:]:
        function = machine.functions.get(id(made))
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
            function = machine.functions.get(id(made))
            if function is not None and function.cls is cls:
                function.cls = value
    return value


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
        if base in machine.classes or base in machine.libraries.BASES:
            return True
        return base.__module__ not in ("builtins", "types") and machine.libraries.is_trusted(base)
    return hasattr(base, "__mro_entries__") and machine.libraries.is_trusted(base)
