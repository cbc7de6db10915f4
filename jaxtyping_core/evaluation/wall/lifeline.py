"""A pipe whose end is the child's: the kernel kills the child when its parent closes the pipe, however that ends.

A thread that looks after the parent cannot do that while C code holds the interpreter lock, and the kernel's signal for
the death of a parent (``PR_SET_PDEATHSIG``) comes with the end of the *thread* that started the child.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys

#: The argument by which the child learns the number of its end of the pipe.
OPTION = "lifeline="


def hold_on(arguments: list[str]) -> bool:
    """Have this process killed when the pipe that its arguments name is closed; whether that works."""
    numbers = [argument.removeprefix(OPTION) for argument in arguments if argument.startswith(OPTION)]
    if sys.platform != "linux" or not numbers:
        return False
    import fcntl

    end = int(numbers[0])
    with contextlib.suppress(OSError):
        fcntl.fcntl(end, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(end, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(end, fcntl.F_SETFL, fcntl.fcntl(end, fcntl.F_GETFL) | os.O_ASYNC)
        return True
    return False
