"""A second wall around the evaluation of a program: the process itself refuses what no evaluation does.

The interpreter lets no program reach anything that has an effect; where it should fail to, Python's audit events
(PEP 578) end the attempt. A hook cannot be taken out again, so it is on only while a program is evaluated.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

#: Events that no evaluation causes, by their first words.
EFFECTS = (
    *(
        "os.",
        "shutil.",
        "socket.",
        "subprocess.",
        "ctypes.",
        "ftplib.",
        "http.",
        "imaplib.",
        "nntplib.",
        "poplib.",
    ),
    *(
        "smtplib.",
        "telnetlib.",
        "urllib.",
        "webbrowser.",
        "winreg.",
        "msvcrt.",
        "tempfile.",
        "sqlite3.",
        "pty.",
        "syslog.",
    ),
    *(
        "fcntl.",
        "mmap.",
        "signal.",
        "resource.",
        "code.__new__",
        "pickle.find_class",
        "setopencodehook",
        "sys.set",
    ),
)
#: ... but for those that importing a module of a library, or looking at a path, causes.
HARMLESS = frozenset(
    {
        "os.listdir",
        "os.scandir",
        "os.fspath",
        "os.walk",
        "os.fwalk",
        "os.getxattr",
        "os.listxattr",
        "sys.setprofile",
        "os.putenv",
        "os.unsetenv",
        "ctypes.dlopen",
        "ctypes.dlsym",
        "ctypes.dlsym/handle",
        "ctypes.addressof",
        "os.register_at_fork",
    }
)
_State = {"on": False, "installed": False}


class Refused(PermissionError):
    """An evaluation tried to have an effect."""


def _hook(event: str, args: tuple[Any, ...]) -> None:
    if not _State["on"]:
        return
    if event == "open":
        mode, flags = args[1], args[2]
        writes = isinstance(mode, str) and any(letter in mode for letter in "wax+")
        if writes or (isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC)):
            raise Refused("an evaluation opens no file to write")
    elif event.startswith(EFFECTS) and event not in HARMLESS:
        raise Refused(f"an evaluation causes no {event}")


@contextmanager
def guarded() -> Iterator[None]:
    """What happens within has no effect on anything outside this process."""
    if not _State["installed"]:
        sys.addaudithook(_hook)
        _State["installed"] = True
    _State["on"] = True
    try:
        yield
    finally:
        _State["on"] = False
