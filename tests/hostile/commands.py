"""The commands of the package, run in a folder of hostile programs, and what they leave there."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from attacks import Scene

HERE = Path(__file__).parent
#: The installed command: ``python -m`` would put the current folder on the path.
COMMAND = Path(sys.executable).with_name("jaxtyping-core")
#: Seconds of a clock for one command over all programs.
LONGEST = 500.0
#: What the commands themselves leave in a folder.
CACHES = (".mypy_cache", ".jaxtyping_core")


@dataclass
class Done:
    """What a command has said, and how it ended."""

    said: str
    status: int | None
    left: int


class Folder:
    """The folder of a scene in which commands run."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.folder = scene, scene.work

    def look(self) -> None:
        """Take things as they are now for those that must stay, but for the caches of the commands."""
        self.scene.look(CACHES)

    def run(self, *command: str, longest: float = LONGEST) -> Done:
        """Run a command in the folder, among the secrets; it is ended after `longest` seconds."""
        variables = {**os.environ, **self.scene.variables, "PYTHONDONTWRITEBYTECODE": "1", "TERM": "dumb"}
        done = subprocess.run(
            [sys.executable, "-P", str(HERE / "reaper.py"), str(longest), *command],
            check=False,
            cwd=self.folder,
            env=variables,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=longest + 30,
            start_new_session=True,
        )
        errors, _, last = done.stderr.rstrip().rpartition("\n")
        ending = json.loads(last)
        return Done(done.stdout + errors, ending["status"], ending["left"])

    def effects(self, said: str) -> list[str]:
        return self.scene.happened(said, CACHES)


def assert_quiet(folder: Folder, done: Done, statuses: tuple[int, ...]) -> None:
    effects = folder.effects(done.said)
    assert effects == []
    assert done.left == 0
    assert done.status in statuses, done.said[-2000:]
    assert "Traceback (most recent call last)" not in done.said


@contextlib.contextmanager
def hearing() -> Iterator[list[int]]:
    """Signals that would end this process are heard instead: the server is its child."""
    came: list[int] = []
    numbers = (signal.SIGUSR1, signal.SIGUSR2)
    before = [signal.signal(number, lambda number, _: came.append(number)) for number in numbers]
    try:
        yield came
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
