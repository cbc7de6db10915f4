"""Watches functions by `sys.monitoring`, which Python has since 3.12: code that is not watched costs nothing."""

from __future__ import annotations

import ctypes
import sys
from functools import partial
from types import CodeType, FrameType
from typing import Any

from jaxtyping_core.errors import CommandError
from jaxtyping_core.identity import identity
from jaxtyping_core.recording.recorder import Recorder
from jaxtyping_core.recording.watched import Watched

assert sys.version_info >= (3, 12)
_monitoring = sys.monitoring
_events = sys.monitoring.events
#: The tools that are not a debugger, a coverage or a profiler, and then those.
_TOOLS = (3, 4, _monitoring.PROFILER_ID, _monitoring.COVERAGE_ID, _monitoring.DEBUGGER_ID)

#: Whether `frame.f_locals` is a dict that is made anew each time, which nobody else has when a function begins.
_IS_SNAPSHOT = sys.version_info < (3, 13)
# `frame.f_locals` of Python 3.12 keeps all variables alive until the function ends; this does not.
_variable: Any = ctypes.pythonapi.PyFrame_GetVar
_variable.restype = ctypes.py_object
_variable.argtypes = (ctypes.py_object, ctypes.py_object)


def _values(frame: FrameType, watched: Watched) -> list[Any]:
    """The values of a function's parameters when it begins."""
    if not (_IS_SNAPSHOT and watched.has_few_locals):
        return [_variable(frame, name) for name in watched.variables]
    variables = frame.f_locals
    values = [variables[name] for name in watched.variables]
    variables.clear()  # or what is in it would live as long as the frame
    return values


class Monitoring:
    """Tells a recorder of the functions that begin and end."""

    #: What ended the watching before its time, if something did.
    ended: str | None = None

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._watched: dict[int, tuple[Watched, CodeType]] = {}
        self._tool: int | None = None

    def start(self) -> None:
        """Begin, in all threads.

        Raises:
            CommandError: other tools have taken all places that Python has.
        """
        free = [tool for tool in _TOOLS if _monitoring.get_tool(tool) is None]
        if not free:
            raise CommandError(
                "cannot record: debuggers, profilers or coverage tools use all slots of sys.monitoring; run without one of them"
            )
        self._tool = free[0]
        _monitoring.use_tool_id(self._tool, "jaxtyping-core record")
        _monitoring.register_callback(self._tool, _events.PY_START, self._start)
        _monitoring.register_callback(self._tool, _events.PY_RETURN, self._return)
        for watched, code in self._watched.values():
            self._watch_end(watched, code)
        _monitoring.set_events(self._tool, _events.PY_START)

    def stop(self) -> None:
        """End."""
        if self._tool is not None:
            _monitoring.set_events(self._tool, 0)
            for _, code in self._watched.values():
                _monitoring.set_local_events(self._tool, code, 0)
            _monitoring.free_tool_id(self._tool)
        self._tool = None

    def _start(self, code: CodeType, offset: int) -> Any:
        try:
            known = self._watched.get(identity(code))
            if known is None:
                watched = self._recorder.watch(code)
                if watched is None:
                    return _monitoring.DISABLE
                known = self._watched[identity(code)] = (watched, code)
                self._watch_end(watched, code)
            frame = sys._getframe(1)
            watched = known[0]
            if watched.is_module:
                return None
            self._recorder.begin(watched, identity(frame), _values(frame, watched))
        except RecursionError:  # the program is about to have it as well
            return None
        except Exception as error:
            self._recorder.failed(error)
        return None

    def _return(self, code: CodeType, offset: int, value: object) -> Any:
        try:
            frame = sys._getframe(1)
            watched = self._watched[identity(code)][0]
            variables = frame.f_locals.__getitem__ if watched.is_module else partial(_variable, frame)
            self._recorder.end(watched, identity(frame), variables if watched.looks else None, value)
        except RecursionError:  # the program is about to have it as well
            return None
        except Exception as error:
            self._recorder.failed(error)
        return None

    def _watch_end(self, watched: Watched, code: CodeType) -> None:
        if watched.ends and self._tool is not None:
            _monitoring.set_local_events(self._tool, code, _events.PY_RETURN)
