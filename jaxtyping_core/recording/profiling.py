"""Watches functions by `sys.setprofile`, for Python 3.11."""

from __future__ import annotations

import ctypes
import dis
import sys
import threading
from functools import partial
from types import CodeType, FrameType
from typing import Any

from jaxtyping_core.identity import identity
from jaxtyping_core.recording.recorder import Recorder
from jaxtyping_core.recording.watched import Watched

_write_back: Any = ctypes.pythonapi.PyFrame_LocalsToFast
_write_back.restype = None
_write_back.argtypes = (ctypes.py_object, ctypes.c_int)
_RETURN, _RESUME = dis.opmap["RETURN_VALUE"], dis.opmap["RESUME"]
#: How many code objects are remembered: a program may make ever more of them.
_REMEMBERED = 100_000


class Profiling:
    """Tells a recorder of the functions that begin and end."""

    #: What ended the watching before its time, if something did.
    ended: str | None = None

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        #: By the identity of code, which is kept so that it stays its own: its instructions are asked of it but once.
        self._watched: dict[int, tuple[Watched | None, CodeType, bytes]] = {}

    def start(self) -> None:
        """Begin, in this thread and those that are started later."""
        threading.setprofile(self._event)
        sys.setprofile(self._event)

    def stop(self) -> None:
        """End."""
        now = sys.getprofile()
        if now == self._event:
            sys.setprofile(None)
            threading.setprofile(None)
        elif now is None:
            self.ended = "the recording stopped early: the program recursed too deeply, or removed the profile function"
        else:
            self.ended = (
                "the recording stopped early: the program set its own profile function; Python 3.12 and newer have no "
                "such limit"
            )

    def _event(self, frame: FrameType, event: str, argument: Any) -> None:
        if event != "call" and event != "return":
            return
        try:
            code = frame.f_code
            known = self._watched.get(identity(code)) or self._learn(code)
            watched, _, instructions = known
            if watched is None:
                return
            at = frame.f_lasti
            if event == "call":
                # A generator that goes on is called, too.
                if instructions[at] == _RESUME and instructions[at + 1] == 0 and not watched.is_module:
                    self._recorder.begin(watched, identity(frame), _values(frame, watched.variables))
            elif watched.ends and instructions[at] == _RETURN:  # and no exception
                variables = frame.f_locals.__getitem__ if watched.is_module else partial(_variable, frame)
                self._recorder.end(watched, identity(frame), variables, argument)
        except RecursionError:  # the program is about to have it as well
            return
        except Exception as error:
            self._recorder.failed(error)

    def _learn(self, code: CodeType) -> tuple[Watched | None, CodeType, bytes]:
        if len(self._watched) > _REMEMBERED:
            self._watched.clear()
        known = self._watched[identity(code)] = (self._recorder.watch(code), code, code.co_code)
        return known


def _variables(frame: FrameType) -> dict[str, Any]:
    """A function's variables, in a dict that the program may have as well."""
    variables = frame.f_locals
    # Python would write them back after the event, when another thread may have changed one: now, none can have done so.
    _write_back(frame, 0)
    return variables


def _variable(frame: FrameType, name: str) -> Any:
    """The value of a variable of a function that ends, which may return `locals()`."""
    return _variables(frame)[name]


def _values(frame: FrameType, names: tuple[str, ...]) -> list[Any]:
    """The values of variables of a function that begins."""
    variables = _variables(frame)
    values = [variables[name] for name in names]
    variables.clear()  # or what is in it would live as long as the frame
    return values
