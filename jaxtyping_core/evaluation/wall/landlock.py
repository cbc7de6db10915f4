"""Landlock (https://docs.kernel.org/userspace-api/landlock.html): no file but those of a list is opened, no TCP, no signals out.

The rules hold for this thread and for all that it starts.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping
from pathlib import Path

from .system_calls import call

#: The system calls, which have the same numbers on all machines.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
#: `CREATE_RULESET` with this flag gives the version of the interface.
VERSION = 1
BENEATH_A_PATH = 1
READ_FILE, READ_FOLDER = 1 << 2, 1 << 3
#: How many rights on files there are from each version on. All are handled, so that all are refused but the two above.
RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}
#: Binding and connecting TCP sockets; and connecting abstract sockets and sending signals to processes outside.
OF_NETWORKS, OF_SCOPES = 0b11, 0b11
NETWORKS_SINCE, SCOPES_SINCE = 4, 6


class _Handled(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("networks", ctypes.c_uint64), ("scopes", ctypes.c_uint64)]


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("rights", ctypes.c_uint64), ("folder", ctypes.c_int32)]


def restrict(paths: Mapping[str, bool]) -> None:
    """Read beneath `paths` alone from now on: files where a path has true, the names in folders everywhere.

    Raises:
        OSError: the kernel has no Landlock, or has it switched off.
    """
    version = call("Landlock", CREATE_RULESET, None, 0, VERSION)
    rights = (1 << RIGHTS[max(since for since in RIGHTS if since <= version)]) - 1
    handled = _Handled(
        rights,
        OF_NETWORKS if version >= NETWORKS_SINCE else 0,
        OF_SCOPES if version >= SCOPES_SINCE else 0,
    )
    known = 8 * (1 + (version >= NETWORKS_SINCE) + (version >= SCOPES_SINCE))
    ruleset = call("Landlock: rules", CREATE_RULESET, ctypes.byref(handled), known, 0)
    try:
        for path, with_files in paths.items():
            _allow(ruleset, path, with_files)
        call("Landlock: restriction", RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, with_files: bool) -> None:
    try:
        beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # it is gone, or closed to this user: then nothing of it is read
        return
    # A right on folders is an error on a file.
    rights = READ_FILE * with_files | READ_FOLDER * Path(path).is_dir()
    try:
        if rights:
            call(
                f"Landlock: {path}",
                ADD_RULE,
                ruleset,
                BENEATH_A_PATH,
                ctypes.byref(_Beneath(rights, beneath)),
                0,
            )
    finally:
        os.close(beneath)
