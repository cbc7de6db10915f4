"""Runs a command, and tells what it leaves: ``python reaper.py SECONDS COMMAND...``.

The last line on standard error is JSON: the exit status (None where the command took too long) and the number of processes that are left.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "programs"))
import effects

SUBREAPER = 36
#: Seconds in which children of the command that is gone may end.
ENDING = 3.0


def main() -> None:
    limit, *command = sys.argv[1:]
    if sys.platform == "linux":  # processes whose parents are gone become this one's, and are seen
        ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    process = subprocess.Popen(command, start_new_session=True, stdin=subprocess.DEVNULL)
    status = None
    with contextlib.suppress(subprocess.TimeoutExpired):
        status = process.wait(float(limit))
    end = time.monotonic() + ENDING
    while (left := running()) and status is not None and time.monotonic() < end:
        time.sleep(0.1)
    for pid in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    print("\n" + json.dumps({"status": status, "left": len(left)}), file=sys.stderr, flush=True)


def running() -> list[int]:
    """The processes below this one that are no zombies."""
    noticed = []
    for pid in effects.descendants(os.getpid()):
        with contextlib.suppress(OSError):
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
                noticed.append(pid)
    return noticed


if __name__ == "__main__":
    main()
