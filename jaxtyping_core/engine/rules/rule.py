"""What a rule is to the walk: it is told of the calls of real code, and of the equations that these leave."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ..facts import CALLED
from .arithmetic import Operation

if TYPE_CHECKING:
    from ..control import Frame
    from ..interpreter import Interpreter
    from ..libraries.jax.transformations import Made


@dataclass(frozen=True)
class Call:
    """A call of real code, and what it has given; `operations` are those within of which numbers are known."""

    f: Any
    args: Sequence[Any]
    kwargs: Mapping[str, Any]
    result: Any
    operations: Sequence[Operation] = ()


@dataclass(frozen=True)
class Begun:
    """A call of real code that has begun: how deep in the calls of the program, and under which trace."""

    f: Any
    args: Sequence[Any]
    kwargs: Mapping[str, Any]
    depth: int
    trace: Any


def is_followed(interpreter: Interpreter) -> bool:
    """Whether some run of the program gets to where the walk is, with what it has there."""
    return interpreter.context.is_followed and interpreter.entry.kind == CALLED


class Rule:
    """A rule in one walk."""

    #: The kind of its findings, as `jaxtyping_core.rules` has it.
    KIND: ClassVar[str]
    #: The attributes that hold what is so in all parts of an evaluation.
    LASTING: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter

    def before(self, equations: Sequence[Any]) -> None:
        """A call of real code begins; equations that are none of its own have been recorded since the last one."""

    def after(self, call: Call, equations: Sequence[Any]) -> None:
        """The call has been made, and has left these."""

    def tried(self, call: Call, equations: Sequence[Any]) -> None:
        """A call has been tried, with samples for what is not known of it."""

    def of_numpy(self, call: Call) -> None:
        """NumPy has computed with arrays of its own."""

    def transformed(self, made: Made) -> None:
        """A transformation has made something of a function."""

    def entered(self, made: Made, args: list[Any], kwargs: dict[str, Any]) -> None:
        """What a transformation has made has been called, and no error was reported of that."""

    def finished(self) -> None:
        """The walk has come to its end."""

    @property
    def is_followed(self) -> bool:
        """Whether some run of the program gets to where the walk is, with what it has there."""
        return is_followed(self.interpreter)

    def report(
        self,
        message: str,
        frames: Sequence[Frame] | None = None,
        node: ast.AST | None = None,
        origins: Sequence[Any] | None = (),
        kind: str | None = None,
    ) -> dict[str, Any]:
        """Report a finding at `node` where `frames` lead, or those of now, unless a call on the way was reported.

        `origins` are the lines that it comes from; None for those that made the arrays of the expression. `kind` is that of the
        finding; None for the rule's own. What is reported is given back; it is empty for nothing.
        """
        frames = self.interpreter.frames if frames is None else frames
        if any(frame.contract is not None and frame.contract.broken for frame in frames):
            return {}
        node = self.interpreter.node if node is None else node
        return self.interpreter.diagnostics.report(frames, node, kind or self.KIND, message, told=origins)
