"""Where names are looked up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from .reading import Reading


class Watch:
    """Who is told what is looked up, and the number of the walk whose scopes are made."""

    reading: ClassVar[Reading | None] = None
    number: ClassVar[int] = 0


@dataclass(eq=False)
class Scope:
    """The variables of a module, a function, a class body or a comprehension."""

    parent: Scope | None
    module: Module
    variables: dict[str, Any] = field(default_factory=dict)
    #: Names that the function declares ``global`` or ``nonlocal``.
    of_module: set[str] = field(default_factory=set)
    of_outer: set[str] = field(default_factory=set)
    #: Whether functions within do not see the variables: a class body.
    of_class: bool = False
    is_comprehension: bool = False
    #: Where an assignment last gave each of them its value, and that value.
    assigned: dict[str, tuple[int, Any]] = field(default_factory=dict)
    #: The names of the variables that may change from now on, and what they hold; None where any may.
    moving: frozenset[str] | None = None
    #: The number of the walk that has made it.
    walk: int = field(default_factory=lambda: Watch.number)

    def held(self, steady: bool = False) -> dict[str, Any]:
        """What the variables that may change hold; with `steady`, the others, too."""
        if self.moving is None or steady:
            return self.variables.copy()
        return {name: self.variables[name] for name in self.moving if name in self.variables}

    def put(self, held: dict[str, Any]) -> None:
        """Make the variables that may change hold this, and no others."""
        if self.moving is None:
            self.variables.clear()
        for name in self.moving or ():
            self.variables.pop(name, None)
        self.variables.update(held)

    def holder(self, name: str) -> Scope | None:
        """The scope that has the variable of this name, as code in this one sees it."""
        scope = self._holder(name)
        if Watch.reading is not None:
            Watch.reading.saw(self, name, scope)
        return scope

    def _holder(self, name: str) -> Scope | None:
        if name in self.of_module:
            return self.module.scope if name in self.module.scope.variables else None
        scope: Scope | None = self
        while scope is not None:
            if name in scope.variables and (scope is self or not scope.of_class):
                return scope
            scope = scope.parent
        return None

    def bind(self, name: str, value: Any) -> None:
        """Assign to a name."""
        if name in self.of_module:
            self.module.scope.variables[name] = value
            return
        if name in self.of_outer:
            scope = self.parent
            while scope is not None:
                if name in scope.variables and not scope.of_class:
                    scope.variables[name] = value
                    return
                scope = scope.parent
        self.variables[name] = value


class Module:
    """A module of the program, as the program sees it."""

    scope: Scope

    def __init__(self, name: str, path: str, is_package: bool) -> None:
        self.name, self.path, self.is_package = name, path, is_package
        self.scope = Scope(None, self)
        #: Whether walking its text ended with an exception.
        self.failed = False
