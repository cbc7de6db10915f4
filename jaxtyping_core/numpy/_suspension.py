"""Whether a block of code may be left in the middle and come back to: one with a ``yield`` or an ``await`` in it.

JAX finds what it compiled by what is in force in the thread. A generator or coroutine that is suspended leaves
its thread to others, and JAX has no way to tell: so a promotion system must not be in force across that point.
"""

from __future__ import annotations

import dis
import functools
import inspect
from types import CodeType, FrameType
from typing import Any

SUSPENDABLE = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR

#: The packages that run a generator up to its ``yield`` for a ``with``, and the rest of it at the end of that.
_MANAGERS = "contextlib"
#: The same for a test, which is all that happens in between.
_FIXTURES = "_pytest"
#: The most bytes between the instruction that calls ``__enter__`` and the block: a CALL has three words of cache.
_TO_BLOCK = 8


def suspension(frame: FrameType) -> FrameType | None:
    """The frame that may be suspended in the block that it enters now; None where there is none.

    In a function for ``contextlib.contextmanager``, the block is that of the ``with`` which it serves.

    Args:
        frame: the frame that calls ``__enter__``.
    """
    entering: FrameType | None = _outside(frame)
    while entering is not None and entering.f_code.co_flags & SUSPENDABLE:
        if not _suspends(entering.f_code, entering.f_lasti):
            return None
        runner = entering.f_back if entering.f_code.co_flags & inspect.CO_GENERATOR else None
        if _package(runner) == _FIXTURES:
            return None
        if _package(runner) != _MANAGERS:
            return entering
        entering = _outside(runner)
    return None


def _package(frame: FrameType | None) -> str:
    return "" if frame is None else str(frame.f_globals.get("__name__")).partition(".")[0]


def _outside(frame: FrameType | None) -> FrameType | None:
    """The nearest frame, from `frame` outwards, that is not of ``contextlib``."""
    while frame is not None and _package(frame) == _MANAGERS:
        frame = frame.f_back
    return frame


@functools.cache
def _suspends(code: CodeType, entered: int) -> bool:
    """Whether `code` yields or awaits in the ``with`` block that the instruction at `entered` enters.

    Where that instruction is not of a ``with`` (``ExitStack.enter_context``): whether it does from there on.
    """
    bytecode: Any = dis.Bytecode(code)  # typeshed lacks the attribute, which there is from Python 3.11 on
    entries = bytecode.exception_entries
    block = [entry.target for entry in entries if 0 < entry.start - entered <= _TO_BLOCK]
    # The parts of a block around a nested one share the handler of its exceptions.
    end = max((entry.end for entry in entries if entry.target in block), default=len(code.co_code))
    return any(
        entered < instruction.offset < end and instruction.opname == "YIELD_VALUE" for instruction in bytecode
    )
