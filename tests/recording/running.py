"""Runs programs, with recording and without."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from jaxtyping_core.recording import PROCESS
from jaxtyping_core.recording.observed import Call
from jaxtyping_core.recording.store import Facts, load

RECORDING = str(Path(PROCESS).parent)
FACTS = "facts.sqlite3"
OURS = "jaxtyping-core: "


class Ended(NamedTuple):
    """How a process ended; `said` is what recording said on standard error, which `stderr` has not."""

    status: int
    stdout: str
    stderr: str
    said: tuple[str, ...] = ()


def plain(folder: Path, *command: str) -> Ended:
    """Run Python as users do."""
    return _run(folder, sys.executable, *command)


def recorded(folder: Path, *command: str, options: tuple[str, ...] = ()) -> Ended:
    """Run a program with recording, into `FACTS`."""
    return _run(folder, sys.executable, PROCESS, "--out", FACTS, *options, "--", *command)


def facts(folder: Path) -> Facts:
    """What was recorded in a folder."""
    return load(folder / FACTS)


def calls(folder: Path, file: str) -> Mapping[str, Mapping[Call, int]]:
    """What was recorded of a file, by the names of its functions."""
    recorded = facts(folder).files[(folder / file).resolve()]
    return {function.qualname: calls for function, calls in recorded.calls.items()}


def write(folder: Path, **files: str) -> None:
    """Write files of Python; `__` in a name stands for a folder."""
    for name, text in files.items():
        file = folder / f"{name.replace('__', '/')}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def _run(folder: Path, *command: str) -> Ended:
    ended = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "JAX_PLATFORMS": "cpu"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    lines = ended.stderr.splitlines(keepends=True)
    said = tuple(line.removeprefix(OURS).rstrip() for line in lines if line.startswith(OURS))
    stderr = "".join(line for line in lines if not line.startswith(OURS))
    return Ended(ended.returncode, ended.stdout, stderr, said)
