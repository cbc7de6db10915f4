"""The wall around the evaluation child: what the operating system refuses to a process that reads untrusted programs.

The child imports JAX, raises the wall, and only then reads what it is sent. The wall is never lowered. It is the second of
two lines: the interpreter calls nothing that has an effect, and the wall stops what gets past the interpreter.

==========  =====================================================================================================
module      what it does
==========  =====================================================================================================
landlock    Linux: no file is read but those of the Python environment, none is written (Landlock)
seccomp     Linux: no process, socket, signal or change of a file (seccomp); `system_calls` has the numbers
limits      POSIX: no file grows, no core is dumped, memory and processor time end
lifeline    Linux: the kernel ends the child when its parent ends
macos       macOS: the same by a sandbox profile
audit       all systems: Python's audit events refuse effects, a line behind the others
packages    where the packages are that the child imports after that
environ     what the child sees of its parent's environment variables
==========  =====================================================================================================
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

#: How much of the wall stands: all of it; all but the part against reading files; nothing.
FULL, NO_READ_WALL, NONE = "full", "no-read-wall", "none"
LEVELS = (FULL, NO_READ_WALL, NONE)


class Wall(NamedTuple):
    """What stands around a child: one of `LEVELS`, and why it is not all of it."""

    level: str = NONE
    why: str = ""


def raise_wall(packages: Iterable[str]) -> Wall:
    """Raise the wall around this process, for good; what stands of it.

    The level is what was tried afterwards and refused, not what the system promised.

    Args:
        packages: folders and files outside of the environment's own folders that imports may read.
    """
    # Libraries ask for a folder for temporary files when they are imported, and Python tries to write to find one.
    with contextlib.suppress(OSError):
        tempfile.tempdir = tempfile.gettempdir()
    problems: list[str] = []
    if sys.platform == "linux":
        _raise_on_linux(packages, problems)
    elif sys.platform == "darwin":
        _raise_on_macos(packages, problems)
    else:
        problems.append(f"isolation is not supported on {sys.platform}")
    sys.dont_write_bytecode = True  # which would be refused, for each module that is imported from now on
    return _standing(problems)


def _raise_on_linux(packages: Iterable[str], problems: list[str]) -> None:
    from . import landlock, limits, seccomp
    from .readable import readable

    # Landlock holds for the calling thread and those that it starts.
    if len([*Path("/proc/self/task").iterdir()]) > 1:
        problems.append("a library started threads before the isolation began")
    for step in (
        limits.lower,
        seccomp.forbid_new_privileges,
        lambda: landlock.restrict(readable(packages)),
        seccomp.restrict,
    ):
        try:
            step()
        except OSError as error:
            problems.append(str(error))


def _raise_on_macos(packages: Iterable[str], problems: list[str]) -> None:
    from . import limits, macos
    from .readable import readable

    for step in (limits.lower, lambda: macos.restrict(readable(packages))):
        try:
            step()
        except OSError as error:
            problems.append(str(error))


def _standing(problems: list[str]) -> Wall:
    """What is refused now: a socket, a file to write, and the root folder, which no import reads."""
    why = "; ".join(problems)
    if not (_is_refused(_connects) and _is_refused(_writes)):
        return Wall(NONE, why or "the system let this process open a socket or write to a file")
    if problems or not _is_refused(_reads):
        return Wall(NO_READ_WALL, why or "the system let this process read a folder")
    return Wall(FULL)


def _is_refused(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except PermissionError:
        return True
    except OSError:  # such as a system without sockets: no answer is no wall
        return False
    return False


def _connects() -> None:
    import socket

    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close()


def _writes() -> None:
    os.close(os.open(os.devnull, os.O_WRONLY))


def _reads() -> None:
    next(Path("/").iterdir(), None)
