"""Whether this system can isolate a process, asked of the kernel and not of our own code: a wall that is broken must not look like none."""

from __future__ import annotations

import ctypes
import functools
import sys
from pathlib import Path

#: ``landlock_create_ruleset``, which has this number on all machines, asked for its version.
CREATE_RULESET, VERSION = 444, 1
SECCOMP = Path("/proc/sys/kernel/seccomp/actions_avail")


@functools.cache
def isolates() -> bool:
    """Whether the kernel has Landlock and seccomp."""
    if sys.platform != "linux" or not SECCOMP.exists():
        return False
    return ctypes.CDLL(None).syscall(CREATE_RULESET, None, 0, VERSION) > 0
