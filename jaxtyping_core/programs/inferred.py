"""What mypy infers with the plugin, in a process of its own that runs while the programs are evaluated."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from jaxtyping_core.evaluation.process import processor_seconds
from jaxtyping_core.programs.report import Report, decode
from jaxtyping_core.programs.sources import Program, unreadable_module

MODULE = "jaxtyping_core_mypy.inferred"
#: Processor seconds that mypy may take. It multiplies constants itself, and may never be done with ``3 ** 10**9``.
MOST_SECONDS = 300.0
#: Seconds from one look at its processor time to the next.
STEP = 1.0
NO_MYPY = (
    "mypy is not installed, so the types that it infers are missing; run pip install 'jaxtyping-core[mypy]'"
)


@contextlib.contextmanager
def inferring(
    programs: list[Program], config_file: Path | None, python: str | None, delay: float = 0.0
) -> Iterator[Callable[[], Report]]:
    """Start mypy on the given files of some programs; inside, a call waits for what it finds.

    Args:
        programs: the programs.
        config_file: mypy's configuration; None for the one that mypy would find.
        python: the interpreter with their packages, if it is not the one that the configuration names.
        delay: seconds until mypy starts, if nobody has asked for it by then.

    Raises:
        CommandError: mypy's configuration cannot be read.
    """
    if importlib.util.find_spec("mypy") is None:
        yield lambda: Report(notes=[NO_MYPY])
        return
    if reason := unreadable_module(programs):
        yield lambda: Report(notes=[f"the types that mypy infers are missing: {reason}"])
        return
    from jaxtyping_core.checking.configuration import find_config, write_config

    texts = [{module.path: module.text for module in program.entry_modules} for program in programs]
    with tempfile.TemporaryDirectory(prefix="jaxtyping-core-") as folder, tempfile.TemporaryFile() as request:
        config = write_config(find_config(config_file), Path(folder), with_targets=False)
        message = {"config": str(config), "python": python, "programs": texts}
        request.write(json.dumps(message).encode())
        request.seek(0)
        command = [sys.executable, "-P", "-m", MODULE]
        started = _Started(command, request)
        timer = threading.Timer(delay, started.start)
        timer.daemon = True
        timer.start()
        try:
            yield lambda: _report(started.start())
        finally:
            timer.cancel()
            started.end()


class _Started:
    """A process that starts once, whoever wants it first."""

    def __init__(self, command: list[str], request: IO[bytes]) -> None:
        self._command, self._request = command, request
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._is_over = False

    def start(self) -> subprocess.Popen[bytes] | None:
        """The process; None if it is not wanted any more."""
        with self._lock:
            if self._process is None and not self._is_over:
                self._process = subprocess.Popen(
                    self._command, stdin=self._request, stdout=subprocess.PIPE, stderr=subprocess.PIPE
                )
            return self._process

    def end(self) -> None:
        """End the process if it has been started, and start none from now on."""
        with self._lock:
            self._is_over = True
            if self._process is not None:
                with self._process:
                    self._process.kill()


def _report(process: subprocess.Popen[bytes] | None) -> Report:
    if process is None:
        return Report()
    while True:
        try:
            answer, said = process.communicate(timeout=STEP)
            break
        except subprocess.TimeoutExpired:
            if (processor_seconds(process.pid) or 0.0) > MOST_SECONDS:
                process.kill()
                return Report(
                    notes=[f"the types that mypy infers are missing: it took more than {MOST_SECONDS:g} s"]
                )
    try:
        return decode(json.loads(answer))
    except (LookupError, TypeError, ValueError):
        reason = (said.decode(errors="replace").strip().splitlines() or [f"status {process.returncode}"])[-1]
        return Report(notes=[f"the types that mypy infers are missing: it failed: {reason}"])
