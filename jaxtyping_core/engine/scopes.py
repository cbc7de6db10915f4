"""Where names are looked up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from .values import heap
from .values.contents import Variables

if TYPE_CHECKING:
    from .reading import ReadSet


class Watch:
    """Who is told what is looked up, and the number of the walk whose scopes are made."""

    reading: ClassVar[ReadSet | None] = None
    number: ClassVar[int] = 0


@dataclass(eq=False)
class Scope(Variables):
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
    #: The number of the walk that has made it.
    walk: int = field(default_factory=lambda: Watch.number)

    def __post_init__(self) -> None:
        heap.made(self)

    def outside(self) -> Iterable[Any]:
        return () if self.parent is None else (self.parent,)

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
            self.module.scope.assign(name, value)
            return
        if name in self.of_outer:
            scope = self.parent
            while scope is not None:
                if name in scope.variables and not scope.of_class:
                    scope.assign(name, value)
                    return
                scope = scope.parent
        self.assign(name, value)

    def assign(self, name: str, value: Any) -> None:
        """Assign to a variable of this scope."""
        heap.changing(self)
        self.variables[name] = value

    def delete(self, name: str) -> None:
        """Delete a variable of this scope, if there is one of that name."""
        heap.changing(self)
        self.variables.pop(name, None)


class Module:
    """A module of the program, as the program sees it."""

    scope: Scope

    def __init__(self, name: str, path: str, is_package: bool) -> None:
        self.name, self.path, self.is_package = name, path, is_package
        self.scope = Scope(None, self)
        #: Whether walking its text ended with an exception.
        self.failed = False
        #: The variables that its functions assign; None before they are looked for.
        self.global_names: frozenset[str] | None = None
