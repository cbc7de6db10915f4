"""A second line behind the interpreter, on every system: Python's own audit events (PEP 578) end what has an effect.

The hook stays until the process ends. It has no state and no name that a program could change: what it compares with are
constants of its code, and whatever it raises in place of its own error ends the attempt as well.
"""

from __future__ import annotations

import sys
from typing import Any


def _hook(event: str, args: tuple[Any, ...]) -> None:
    """Refuse events that no evaluation causes.

    Raises:
        PermissionError: this is one.
    """
    if event == "builtins.id":  # by far the most, and each costs: the engine tells objects apart by it
        return
    if event == "open":
        mode, flags = args[1], args[2] or 0
        # By its mode or its flags (O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND of Linux and macOS) it is written to.
        if (mode and ("w" in mode or "a" in mode or "x" in mode or "+" in mode)) or flags & 0o3113:
            raise PermissionError("an evaluation opens no file to write")
    elif event == "object.__setattr__":
        if args[1] == "__code__":  # that of this function, for example
            raise PermissionError("an evaluation changes no code")
    elif event.startswith(
        (
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
            "fcntl.",
            "mmap.",
            "signal.",
            "resource.",
            "code.__new__",
            "pickle.find_class",
            "setopencodehook",
            "sys.set",
        )
    ) and event not in {  # importing a module of a library, or looking at a path, causes these
        "os.listdir",
        "os.scandir",
        "os.fspath",
        "os.walk",
        "os.fwalk",
        "os.getxattr",
        "os.listxattr",
        "os.putenv",
        "os.unsetenv",
        "os.register_at_fork",
        "sys.setprofile",
        "ctypes.dlopen",
        "ctypes.dlsym",
        "ctypes.dlsym/handle",
        "ctypes.addressof",
    }:
        raise PermissionError(f"an evaluation causes no {event}")


def stand() -> None:
    """From now on, nothing that this process does has an effect outside of it, as far as Python sees it."""
    sys.addaudithook(_hook)
