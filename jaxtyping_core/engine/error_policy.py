"""What an error of the program does to the walk, and which are reported."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import jax

from .context import EvalContext
from .control import Frame, RaisedException
from .diagnostics import Diagnostics
from .values import heap, traces
from .values.heap import HeapSnapshot
from .values.states import unchanged
from .values.traces import Traces
from .values.unknowns import UNKNOWN

#: Errors of JAX where the numbers of an array are asked for that has none.
OF_TRACERS = (
    jax.errors.ConcretizationTypeError,
    jax.errors.TracerArrayConversionError,
    jax.errors.TracerIntegerConversionError,
    jax.errors.NonConcreteBooleanIndexError,
)


class ErrorPolicy:
    """The part of an interpreter that decides about errors.

    Attributes:
        context: how the walk came to where it is.
        may_raise_epoch: a counter: two readings differ if in between something happened that may raise anything.
        raised: the states in which ways have raised an error while others went on, if a ``try`` is walked.
    """

    context: EvalContext
    diagnostics: Diagnostics
    frames: list[Frame]
    may_raise_epoch: int
    node: ast.AST | None
    raised: list[HeapSnapshot] | None
    traces: Traces

    def may_raise(self) -> None:
        """A way has raised an error in this state, and others go on: whoever catches it meets what it has left."""
        self.may_raise_epoch += 1
        if self.raised is not None and not (self.raised and unchanged(self.raised[-1], heap.now())):
            self.raised.append(heap.now())

    def failed(self, error: Exception) -> Any:
        """What an expression gives that raises an error: where the program may catch it, the error.

        Outside of a transformation the program's arrays have numbers, and only the walk lacks them.
        """
        is_of_program = traces.current() is not self.traces.base or bool(self.context.axes)
        if isinstance(error, OF_TRACERS) and not is_of_program:
            self.may_raise_epoch += 1
            return UNKNOWN
        if self.context.try_depth:
            raise RaisedException(error)
        return UNKNOWN

    def refuse(
        self, kind: str, message: str, once: bool = False, told: Sequence[dict[str, Any]] | None = None
    ) -> None:
        """JAX refuses a call, and the program surely gets there.

        Nothing is said in a call that was reported: its arguments are not as declared, and this may follow from that.
        Nor is it where the walk comes again in another way, but for what it only comes to once.
        """
        context = self.context
        is_caught = context.try_depth > (context.retries if once else 0)
        broken = any(frame.contract is not None and frame.contract.broken for frame in self.frames)
        if not (context.is_speculative or is_caught or context.sample is not None or broken):
            self.report(kind, message, told=told)

    def report(
        self, kind: str, message: str, about: str = "", told: Sequence[dict[str, Any]] | None = None
    ) -> None:
        """Something is wrong at the place where the walk is: see `Diagnostics.report`."""
        if self.frames:
            self.diagnostics.report(self.frames, self.node, kind, message, about, told)
