"""How a walk through the program leaves the straight line."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .facts import AT_TOP_LEVEL, Entry
from .scopes import Scope
from .values.heap import HeapSnapshot


class Control(BaseException):
    """Not an `Exception`: JAX, through which walks go, must not take one for its own."""


class Return(Control):
    """A function returns."""

    def __init__(self, value: Any) -> None:
        self.value = value


class Break(Control):
    """A loop ends."""


class Continue(Control):
    """A round of a loop ends."""


class Unreachable(Control):
    """No way leads on; what left a loop or a function on some way is in its `Frame`."""


class Exhausted(Control):
    """The evaluation has taken what it may take."""


class RaisedException(Exception):
    """The program raises an exception, which passes through JAX as an exception does."""

    def __init__(self, value: Any) -> None:
        super().__init__(str(type(value).__name__))
        self.value = value


@dataclass
class Loop:
    """A loop that is being walked, and the states in which some ways have left a round or the loop."""

    continues: list[HeapSnapshot] = field(default_factory=list)
    breaks: list[HeapSnapshot] = field(default_factory=list)
    #: Whether some way leaves the loop by its end.
    ended: bool = True
    rounds: int = 0


@dataclass
class Frame:
    """A call of a function of the program, or a module's top level."""

    scope: Scope
    name: str
    #: Where the call stands, and what it passes.
    file: str
    line: int
    arguments: str = ""
    #: What some ways have returned, and the states in which they did.
    returned: list[tuple[Any, HeapSnapshot]] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    #: What a generator has yielded; `open` if there may be more of the same.
    yields: list[Any] = field(default_factory=list)
    open: bool = False
    #: What happens where it yields, if it is the function of a context: the body of the ``with``.
    within: Callable[[Any], None] | None = None
    #: How many rounds the loops around take together that are walked one by one.
    rounds: int = 1
    #: The function that is called, its syntax tree, and what its parameters were at first.
    function: Any = None
    node: Any = None
    bound: dict[str, Any] = field(default_factory=dict)
    #: What ``super()`` in the function stands for.
    cls: Any = None
    first: Any = None
    #: What the function declares of arrays, and what the names in that stand for in this call.
    contract: Any = None
    #: How it was entered, for the facts of its places.
    entry: Entry = AT_TOP_LEVEL
    #: Where the call stands, and how many rounds of loops have begun in it; no other frame has its number.
    caller: ast.AST | None = None
    turns: int = 0
    number: int = field(default_factory=itertools.count().__next__)
