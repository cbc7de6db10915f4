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

from ..interpreter.machine import Machine
from ..interpreter.scopes import Module, Scope
from ..interpreter.values import arrays
from ..interpreter.values.unknowns import UNKNOWN, Many, Mixed, NumpyArray, Unknown

#: Containers further down than this are not looked into.
DEEPEST = 30
#: What never changes.
CONSTANTS = (type(None), bool, int, float, complex, str, bytes, range, type(...))
#: Where objects are of which the plain ones never change.
FROZEN = ("jax", "jaxlib", "ml_dtypes")


class Steady:
    """Makes unknown what the source of a program may change.

    Args:
        rebound: by module, the names that may be assigned to more than once.
        changed: names of variables and attributes in which there may be a container that is changed.
        outer: names that a function declares ``nonlocal``.
    """

    def __init__(
        self,
        machine: Machine,
        rebound: Mapping[str, Iterable[str]],
        changed: Iterable[str],
        outer: Iterable[str],
    ) -> None:
        self.machine = machine
        self.rebound = {module: frozenset(names) for module, names in rebound.items()}
        self.changed = frozenset(changed)
        self.outer = frozenset(outer)
        self._settled: set[int] = set()
        self._kept: list[Scope] = []

    def settle(self, module: Module) -> None:
        """Make unknown what may change of a module's variables, and of those that its functions see."""
        self._scope(module.scope, self.rebound.get(module.name, frozenset()))

    def _scope(self, scope: Scope, moving: frozenset[str]) -> None:
        if id(scope) in self._settled:
            return
        self._settled.add(id(scope))
        self._kept.append(scope)
        for name, value in list(scope.variables.items()):
            if name.startswith("__"):
                continue
            if name in moving or not self._is_steady(value, name in self.changed, 0):
                scope.variables[name] = UNKNOWN

    def _is_steady(self, value: Any, changed: bool, depth: int) -> bool:
        """Whether a value is the same at all times; `changed`: what changes a container may change this one."""
        if depth > DEEPEST:
            return False
        if isinstance(value, (*CONSTANTS, types.ModuleType, Module)) or arrays.is_array(value):
            return True
        if isinstance(value, (list, dict, set, Many, NumpyArray)) or type(value).__name__ == "ndarray":
            return not changed and all(self._is_steady(part, changed, depth + 1) for part in _parts(value))
        if isinstance(value, Unknown):
            return not isinstance(value, Mixed) or not changed
        if isinstance(value, (tuple, frozenset)):
            return all(self._is_steady(part, changed, depth + 1) for part in value)
        if isinstance(value, functools.partial):
            parts = [value.func, *value.args, *value.keywords.values()]
            return all(self._is_steady(part, changed, depth + 1) for part in parts)
        if id(value) in self.machine.functions:
            return self._is_steady_function(value)
        if id(value) in self.machine.made:
            return self._is_steady(self.machine.made[id(value)].function, changed, depth + 1)
        return self._is_steady_object(value, changed, depth)

    def _is_steady_function(self, value: Any) -> bool:
        function = self.machine.functions[id(value)]
        scope = function.scope
        while scope.parent is not None:
            if not scope.of_class:
                self._scope(scope, self.outer)
            scope = scope.parent
        defaults = zip(reversed(function.signature.parameters), reversed(function.defaults), strict=False)
        return all(self._is_steady(default, name in self.changed, 0) for name, default in defaults)

    def _is_steady_object(self, value: Any, changed: bool, depth: int) -> bool:
        cls = type(value)
        if isinstance(value, type):
            return value not in self.machine.classes or not changed
        if cls not in self.machine.classes:
            own = str(getattr(value, "__module__", None) or cls.__module__).partition(".")[0]
            return callable(value) or own in FROZEN or cls.__module__.startswith("numpy.random")
        if not _is_frozen(cls):
            return False
        fields = arrays.object_fields(value) or {}
        return all(
            self._is_steady(part, changed or name in self.changed, depth + 1) for name, part in fields.items()
        )


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, Many):
        return [value.item]
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, (list, set)) else ()


def _is_frozen(cls: type) -> bool:
    """Whether the objects of a class of the program cannot be assigned to."""
    parameters = getattr(cls, "__dataclass_params__", None)
    return dataclasses.is_dataclass(cls) and bool(getattr(parameters, "frozen", False))
