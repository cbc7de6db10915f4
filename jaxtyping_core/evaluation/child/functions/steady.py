"""What a module's variables hold at the time of any call, whenever that is.

The top level of a module is walked once, to its end; a function may be called before, between and after what changes
its variables. Whatever the source may change after it was first made is therefore unknown.
"""

from __future__ import annotations

import dataclasses
import functools
import types
from collections.abc import Iterable, Mapping
from typing import Any

from ....engine.interpreter import Interpreter
from ....engine.libraries import registry
from ....engine.scopes import Module, Scope
from ....engine.values import arrays, heap
from ....engine.values.contents import put
from ....engine.values.unknowns import UNKNOWN, AbstractSequence, ArrayLike, NumpyArray, Unknown
from ....identity import identity

#: Containers further down than this are not looked into.
DEEPEST = 30
#: What never changes.
CONSTANTS = (type(None), bool, int, float, complex, str, bytes, range, type(...))
#: Where objects are of which the plain ones never change.
FROZEN = ("jax", "jaxlib", "ml_dtypes")
#: What annotations are made of, besides what `typing` itself makes, which nothing changes.
OF_ANNOTATIONS = (types.GenericAlias, types.UnionType)


class ModuleMutability:
    """Makes unknown what the source of a program may change.

    Args:
        sources: what the source says. `rebound`: by module, the names that may be assigned to more than once; `changed`:
            names of variables and attributes in which there may be a container that is changed; `outer`: names that a
            function declares ``nonlocal``; `assigned`: attributes that are assigned to after objects were made, None
            where these may be any.
    """

    def __init__(self, interpreter: Interpreter, sources: Mapping[str, Any]) -> None:
        self.interpreter = interpreter
        self.rebound = {module: frozenset(names) for module, names in sources["rebound"].items()}
        self.changed = frozenset(sources["changed"])
        self.outer = frozenset(sources["outer"])
        self.assigned = None if sources["assigned"] is None else frozenset(sources["assigned"])
        self._before: dict[int, tuple[Scope, dict[str, Any]]] = {}
        self._hidden: frozenset[str] = frozenset()
        self._also: frozenset[str] = frozenset()

    def settle(
        self,
        modules: Iterable[Module],
        hidden: frozenset[str] = frozenset(),
        also: frozenset[str] = frozenset(),
    ) -> None:
        """Make unknown what may change of the variables of modules, and of those that their functions see.

        Args:
            modules: these modules.
            hidden: modules that are no part of the program: that packages have them is not seen.
            also: names of variables and attributes in which containers may be changed, besides those that the source says.
        """
        self._hidden, self._also = hidden, also
        for module in modules:
            self._scope(module.scope, self.rebound.get(module.name, frozenset()))

    def unsettle(self) -> None:
        """Give all variables what they held before."""
        for scope, variables in self._before.values():
            heap.changing(scope)
            put(scope, variables)
        self.keep()

    def keep(self) -> None:
        """Let what is unknown now be unknown for good."""
        self._before.clear()

    def holds(self, value: Any, name: str) -> bool:
        """Whether an object that a variable of this name was bound to is still as it was made."""
        return self._is_steady(value, self._may_change(name), 0)

    def _may_change(self, name: str) -> bool:
        return name in self.changed or name in self._also

    def _scope(self, scope: Scope, moving: frozenset[str]) -> None:
        if identity(scope) in self._before:
            return
        self._before[identity(scope)] = scope, scope.variables.copy()
        for name, value in list(scope.variables.items()):
            if name.startswith("__"):
                continue
            if isinstance(value, Module) and value.name in self._hidden:
                scope.delete(name)
            elif name in moving or not self._is_steady(value, self._may_change(name), 0):
                scope.assign(name, UNKNOWN)

    def _is_steady(self, value: Any, changed: bool, depth: int) -> bool:
        """Whether a value is the same at all times; `changed`: what changes a container may change this one."""
        if depth > DEEPEST:
            return False
        if isinstance(value, (*CONSTANTS, types.ModuleType, Module)) or arrays.is_array(value):
            return True
        if (
            isinstance(value, (list, dict, set, AbstractSequence, NumpyArray))
            or type(value).__name__ == "ndarray"
        ):
            return not changed and all(self._is_steady(part, changed, depth + 1) for part in _parts(value))
        if isinstance(value, Unknown):
            return not isinstance(value, ArrayLike) or not changed
        if isinstance(value, (tuple, frozenset)):
            return all(self._is_steady(part, changed, depth + 1) for part in value)
        if isinstance(value, functools.partial):
            parts = [value.func, *value.args, *value.keywords.values()]
            return all(self._is_steady(part, changed, depth + 1) for part in parts)
        if identity(value) in self.interpreter.functions:
            return self._is_steady_function(value)
        if identity(value) in self.interpreter.made:
            return self._is_steady(self.interpreter.made[identity(value)].function, changed, depth + 1)
        return self._is_steady_object(value, changed, depth)

    def _is_steady_function(self, value: Any) -> bool:
        function = self.interpreter.functions[identity(value)]
        scope = function.scope
        while scope.parent is not None:
            if not scope.of_class:
                self._scope(scope, self.outer)
            scope = scope.parent
        defaults = zip(reversed(function.signature.parameters), reversed(function.defaults), strict=False)
        return all(self._is_steady(default, self._may_change(name), 0) for name, default in defaults)

    def _is_steady_object(self, value: Any, changed: bool, depth: int) -> bool:
        cls = type(value)
        if isinstance(value, type):
            return value not in self.interpreter.classes or (not changed and self._is_unset(vars(value)))
        fields = arrays.object_fields(value) or {}
        if cls not in self.interpreter.classes:
            own = str(getattr(value, "__module__", None) or cls.__module__).partition(".")[0]
            if cls.__module__ == "typing" or isinstance(value, OF_ANNOTATIONS):
                return True
            is_kept = own in FROZEN or cls.__module__.startswith("numpy.random") or _is_frozen(cls)
            is_layer = callable(value) or (registry.has_layers(own) and "value" not in (self.assigned or ()))
            return is_kept or (is_layer and not changed and self._is_unset(fields))
        if not _is_frozen(cls) and (changed or not self._is_unset(fields)):
            return False
        return all(
            self._is_steady(part, changed or self._may_change(name), depth + 1)
            for name, part in fields.items()
        )

    def _is_unset(self, names: Iterable[str]) -> bool:
        """Whether no attribute of these names is assigned to after an object was made, nor changed in place."""
        return self.assigned is not None and not any(name in self.assigned for name in names)


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, AbstractSequence):
        return [value.item]
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, (list, set)) else ()


def _is_frozen(cls: type) -> bool:
    """Whether the objects of a class of the program cannot be assigned to."""
    parameters = getattr(cls, "__dataclass_params__", None)
    return dataclasses.is_dataclass(cls) and bool(getattr(parameters, "frozen", False))
