"""The program's classes: real classes, so that JAX and the libraries take their objects, whose methods are walked."""

from __future__ import annotations

import ast
import enum
import types
from typing import TYPE_CHECKING, Any

from ...identity import identity
from ..libraries.trust import gate
from ..libraries.trust.special_names import METHODS, is_closed_name, is_special, may_name
from ..scopes import Scope
from ..values.unknowns import UNKNOWN, Unknown, is_unknown
from . import declarations

if TYPE_CHECKING:
    from ..interpreter import Interpreter

#: Special names of a class body that are left out without a word: nothing is lost, or Python sets them itself.
DROPPED = frozenset({"__slots__", "__module__", "__qualname__"})
#: Those that are data.
OF_DATA = frozenset(
    {"__annotations__", "__doc__", "__match_args__", "__array_priority__", "__version__", "__author__"}
)


def make(interpreter: Interpreter, node: ast.ClassDef, scope: Scope) -> Any:
    """The class that a statement defines; unknown if one of its bases is."""
    decorators = [interpreter.value(decorator, scope) for decorator in node.decorator_list]
    parameters = declarations.type_parameters(interpreter, node, scope)
    if parameters:  # seen in what follows, and what the class is generic in (PEP 695)
        scope = Scope(scope, scope.module, parameters)
    bases = [interpreter.value(base, scope) for base in node.bases]
    if parameters:
        bases.append(declarations.generic_in(list(parameters.values())))
    keywords = {word.arg: interpreter.value(word.value, scope) for word in node.keywords if word.arg}
    inner = Scope(scope, scope.module, {}, of_class=True)
    inner.variables["__module__"] = "__program__"
    inner.variables["__qualname__"] = node.name
    before = len(interpreter.kept)
    interpreter.block(node.body, inner)
    if "metaclass" in keywords and not _is_library(interpreter, keywords["metaclass"]):
        return UNKNOWN
    if any(is_unknown(base) or not _may_be_base(interpreter, base) for base in bases):
        interpreter.diagnostics.note(
            f"{scope.module.path}:{node.lineno}: a base class of {node.name} is unknown"
        )
        return UNKNOWN
    if any(is_unknown(word) for word in keywords.values()):
        return UNKNOWN
    if not gate.may_have(interpreter, list(keywords.values())):
        interpreter.diagnostics.note(
            f"{scope.module.path}:{node.lineno}: class {node.name} is not evaluated: its keyword arguments are not plain values"
        )
        return UNKNOWN
    contents = {"__module__": "__program__", "__qualname__": node.name, **_contents(interpreter, inner)}
    try:
        cls = types.new_class(node.name, tuple(bases), keywords, lambda namespace: _fill(namespace, contents))
    except Exception as error:  # real code may raise anything, which is told
        interpreter.diagnostics.note(
            f"{scope.module.path}:{node.lineno}: class {node.name} is not evaluated: {error}"
        )
        return UNKNOWN
    interpreter.classes[cls] = node
    interpreter.scopes[cls] = inner
    for made in interpreter.kept[before:]:
        function = interpreter.functions.get(identity(made))
        if function is not None and function.scope is inner:
            function.cls = function.cls or cls
    value: Any = cls
    for decorator in reversed(decorators):
        interpreter.node = node
        value = interpreter.call(decorator, [value], {})
    if isinstance(value, type) and value is not cls:  # ``dataclass(slots=True)`` makes another
        interpreter.classes[value] = node
        interpreter.scopes[value] = inner
        for made in interpreter.kept[before:]:
            function = interpreter.functions.get(identity(made))
            if function is not None and function.cls is cls:
                function.cls = value
    return value


def _contents(interpreter: Interpreter, body: Scope) -> dict[str, Any]:
    """What of a class body becomes part of the class."""
    kept: dict[str, Any] = {}
    for name, value in body.variables.items():
        if name in DROPPED:
            continue
        if name == "__annotations__":
            kept[name] = _annotations(interpreter, value, body)
        elif name == "__getattr__" and identity(value) in interpreter.functions:
            kept[name] = _asked(value)
        elif not is_special(name):
            kept[name] = (
                value
                if gate.may_have(interpreter, value)
                else interpreter.opaque(f"what is assigned to {name}")
            )
        elif _is_plain(name, value) or (name in METHODS and gate.may_have(interpreter, value)):
            kept[name] = value
        else:
            interpreter.opaque(f"the attribute {name}")
    return kept


def _is_plain(name: str, value: Any) -> bool:
    """Whether a special name has data of the kind that Python expects."""
    if name == "__match_args__":
        return type(value) is tuple and all(map(may_name, value))
    return name in OF_DATA and type(value) in (str, int, float, type(None))


def _annotations(interpreter: Interpreter, declared: Any, body: Scope) -> dict[str, Any]:
    """What libraries see of annotations: those of names that can be no code."""
    if type(declared) is not dict:
        return {}
    for name in declared:
        if not may_name(name):
            interpreter.opaque(f"the field {name}")
    return {name: _annotation(interpreter, value, body) for name, value in declared.items() if may_name(name)}


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


def _annotation(interpreter: Interpreter, value: Any, scope: Scope) -> Any:
    """The annotation of a field as libraries see it: unknown ones are of any type.

    A text becomes what it says, for libraries would evaluate it.
    """
    if isinstance(value, str):
        value = declarations.of_text(interpreter, value, scope)
    return Any if isinstance(value, (Unknown, str)) else value


def _is_library(interpreter: Interpreter, cls: Any) -> bool:
    return isinstance(cls, type) and cls not in interpreter.classes and interpreter.libraries.is_trusted(cls)


def _may_be_base(interpreter: Interpreter, base: Any) -> bool:
    if isinstance(base, type):
        if issubclass(base, type):
            return False
        if base in interpreter.classes or base in interpreter.libraries.BASES | interpreter.natives.bases:
            return True
        return (
            base.__module__ not in ("builtins", "types")
            and interpreter.libraries.is_trusted(base)
            and interpreter.libraries.may_see(base)
        )
    return hasattr(base, "__mro_entries__") and interpreter.libraries.is_trusted(base)
