"""What the program may call or look names up in that is ours: its functions, iterators, methods of what is unknown, modules in part."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..scopes import Scope
from . import heap
from .unknowns import UNKNOWN, Unknown

Node = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(eq=False)
class Function:
    """A function of the program."""

    node: Node
    scope: Scope
    signature: inspect.Signature
    name: str
    defaults: list[Any] = field(default_factory=list)
    is_generator: bool = False
    #: The contexts of libraries among its decorators, in which it is called.
    contexts: list[Any] = field(default_factory=list)
    #: The class in whose body it stands, once that is made.
    cls: Any = None
    #: What it declares of arrays; None if that has not been looked at, False if it is nothing.
    contract: Any = None
    #: What it declares of all its parameters; None if that has not been looked at.
    forms: dict[str, Any] | None = None
    #: What it declares to return, in the same way; False if it is no array.
    result: Any = None
    #: The bodies that were read for what it declares.
    readings: set[int] = field(default_factory=set)
    #: The part of the evaluation that has made it, as `KeptParts` numbers them.
    part: int = 0


class Cursor:
    """An iterator over items that are known."""

    def __init__(self, items: list[Any]) -> None:
        self.items = items
        self.position = 0
        heap.made(self)

    def __iter__(self) -> Cursor:
        return self

    def __next__(self) -> Any:
        if self.position >= len(self.items):
            raise StopIteration
        self.go_to(self.position + 1)
        return self.items[self.position - 1]

    def go_to(self, position: int) -> None:
        """The items before this position have been taken."""
        heap.changing(self)
        self.position = position


class UnknownArguments(Unknown):
    """Arguments of any number, in the place of which ``*args`` or ``**kwargs`` of unknown value stood."""


STAR_ARGS = UnknownArguments()


class Namespace:
    """A module of which only these names are seen; it is told of others if it has a name itself.

    Attributes:
        others: what others are.
    """

    def __init__(self, told: str = "", /, **names: Any) -> None:
        self.told, self.names = told, names
        self.others: Any = UNKNOWN


class Holder(Namespace):
    """What stands for an object of a library that holds an array, and has its rows and items.

    Functions of arrays take it for the array. `like` makes such an object of another array.
    """

    def __init__(self, array: Any, like: Callable[[Any], Any], **names: Any) -> None:
        super().__init__(**names)
        self.array, self.like = array, like


class Method:
    """A method of an array that is not wholly known, or of a sequence of unknown length."""

    def __init__(self, holder: Any, name: str) -> None:
        self.holder, self.name = holder, name
