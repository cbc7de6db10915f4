"""Which arrays of the walk are traced in the program, too.

The whole walk is one abstract evaluation, so that every array in it is a tracer. In the program only the arrays are that a
transformation has made: the arguments of a jitted function, the rows under `vmap`, the values of a derivative.

JAX decides in two ways what Python may ask of a tracer, and so do the two questions here. ``bool(x)`` and ``x[i]`` need a
number, which the tracers of a derivative have (`has_no_number`). ``float(x)`` and NumPy's functions refuse every tracer
(`is_traced`). The source of the rule is JAX's page on errors, and what ``jax.core.Tracer`` raises.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import jax

#: What JAX's abstract evaluation does through a trace of its own, and a program that runs does at once. A function that is
#: called from within one of these may have arrays with numbers in the program.
AT_ONCE = frozenset(
    {
        "process_call",
        "process_custom_jvp_call",
        "process_custom_transpose",
        "process_custom_vjp_call",
        "process_shard_map",
    }
)


def current() -> Any:
    """The trace that JAX's operations are recorded by now; None if this JAX does not tell."""
    try:
        return getattr(jax, "_src").core.trace_ctx.trace  # noqa: B009  # no public name says which trace it is
    except AttributeError:
        return None


def recording() -> Any:
    """The innermost trace around that records operations; None if there is none."""
    trace = current()
    while trace is not None and not hasattr(trace, "frame"):
        trace = getattr(trace, "parent_trace", None)
    return trace


def reference() -> Callable[[], Any]:
    """The present trace, which is not kept by this."""
    trace = current()
    return nothing if trace is None else weakref.ref(trace)


def nothing() -> None:
    """No trace."""


class Traces:
    """The traces of one walk.

    Args:
        base: the trace of the walk itself, whose tracers are arrays with numbers in the program; None before it begins.
        is_paused: tells whether the walk is in a context in which JAX computes at once: then no array is traced.
        restores: tells of a module whether its transformations put back what a function has changed in objects.
    """

    def __init__(
        self,
        base: Any,
        is_paused: Callable[[], bool] = lambda: False,
        restores: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self.base = base
        self._is_paused = is_paused
        self._restores = restores
        #: Whether what is made under a trace is put back when it ends.
        self._restored: weakref.WeakKeyDictionary[Any, bool] = weakref.WeakKeyDictionary()
        #: Whether an option says that JAX may compute at once.
        self.is_disabled = False
        #: Those that the functions are under that are walked now, outermost first. Not every trace knows the one around it.
        self.active: list[Any] = []
        #: Whether a trace is one of the program's for certain.
        self._sure: weakref.WeakKeyDictionary[Any, bool] = weakref.WeakKeyDictionary()
        if base is not None:
            self._sure[base] = False

    @property
    def is_on(self) -> bool:
        """Whether anything is said of arrays."""
        return self.base is not None and not self.is_disabled and not self._is_paused()

    def enter(self) -> None:
        """The walk of a function of the program begins: what trace it is under is looked at once."""
        trace = None if self.base is None else current()
        if trace is not None and _records(trace) and trace not in self._sure:
            self._sure[trace] = any(map(self.is_sure, self.active)) or not _is_at_once()
        if trace is not None and trace is not self.base and trace not in self._restored:
            self._restored[trace] = any(map(self._restores, _modules_since_a_call()))
        self.active.append(trace)

    def leave(self) -> None:
        """The walk of the function ends that was entered last."""
        self.active.pop()

    def begin(self) -> None:
        """A trace of our own begins, for what JAX traces in the program."""
        trace = current()
        if trace is not None and self.base is not None:
            self._sure[trace] = True

    def is_sure(self, trace: Any) -> bool:
        """Whether all that is made under a trace is traced in the program."""
        while trace is not None:
            if _records(trace):
                known = self._sure.get(trace)
                if known is not None:
                    return known
            trace = getattr(trace, "parent_trace", None)
        return False

    def is_left(self, value: Any) -> bool:
        """Whether an array is of a transformation of the program that has ended."""
        if not (self.is_on and _is_tracer(value)) or self._restored.get(value._trace, False):
            return False
        for trace in (current(), *self.active):
            while trace is not None:
                if trace is value._trace:
                    return False
                trace = getattr(trace, "parent_trace", None)
        return bool(not _records(value._trace) or self._sure.get(value._trace, False))

    def is_traced(self, value: Any) -> bool:
        """Whether an array is a tracer in the program, of whatever kind."""
        if not (self.is_on and _is_tracer(value)):
            return self._is_of_sure(value)
        return self.is_sure(value._trace) if _records(value._trace) else True

    def is_tracer(self, value: Any) -> bool | None:
        """Whether a value is a tracer in the program; None where that is not known."""
        if self.is_traced(value):
            return True
        if self.is_on and _is_tracer(value):
            return False if value._trace is self.base else None
        return None

    def has_no_number(self, value: Any) -> bool:
        """Whether an array has no number in the program: a derivative's tracer has the number of what it stands for."""
        while self.is_on and _is_tracer(value):
            if _records(value._trace):
                return self.is_sure(value._trace)
            if not hasattr(value, "primal"):
                return type(value).__name__ == "BatchTracer"
            value = value.primal
        return self._is_of_sure(value)

    def _is_of_sure(self, value: Any) -> bool:
        """Whether an array that is not wholly known was made where all arrays are traced."""
        trace = getattr(value, "trace", None) if type(value).__name__ == "Partial" else None
        return self.is_on and trace is not None and self.is_sure(trace())


def _is_tracer(value: Any) -> bool:
    return isinstance(value, jax.core.Tracer) and hasattr(value, "_trace")


def _records(trace: Any) -> bool:
    """Whether a trace records operations, as `jit` and the loops do, and has no numbers."""
    return type(trace).__name__ == "DynamicJaxprTrace"


def _is_at_once() -> bool:
    """Whether JAX has come to the function that is called now through something that a running program does at once."""
    return any(frame.f_code.co_name in AT_ONCE for frame in _frames_since_a_call())


def _modules_since_a_call() -> Iterator[str]:
    """The modules through which JAX has come to the function that is called now."""
    return (str(frame.f_globals.get("__name__", "")) for frame in _frames_since_a_call())


def _frames_since_a_call() -> Iterator[FrameType]:
    """The frames since real code was called."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_name == "real" and frame.f_globals.get("__name__", "").endswith("language.calls"):
            return
        yield frame
        frame = frame.f_back
