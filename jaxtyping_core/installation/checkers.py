"""Which type checkers there are, and which stubs each of them sees, found by running it on a small program."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

#: The options with which each checker types the program as one of the packages of `{python}`.
OPTIONS: Mapping[str, Sequence[str]] = {
    "mypy": ("--config-file=", "--cache-dir=cache", "--python-executable={python}"),
    "pyright": ("--pythonpath={python}",),
    "basedpyright": ("--pythonpath={python}",),
    "pyrefly": ("check", "--output-format=min-text", "--python-interpreter-path={python}"),
    "ty": ("check", "--output-format=concise", "--python={python}"),
    "zuban": ("check", "--python-executable={python}"),
}
PROGRAM = """\
import jax
import jax.numpy as jnp

def f(x: jax.Array) -> None:
    reveal_type(jnp.float32(1))
    reveal_type(jnp.zeros(3))
    reveal_type(x)
"""
#: Empty configurations, so that no checker looks for another one.
CONFIGURATIONS = {"mypy.ini": "[mypy]\n", "pyrightconfig.json": "{}", "pyrefly.toml": "", "ty.toml": ""}
REVEALED = re.compile(
    r"""(?:Revealed type is "|Type of ".*" is "|[Rr]evealed type: `?)(.*?)["`]?(?: \[.*\])?$"""
)
#: What `PROGRAM` asks about.
QUESTIONS = 3
MODULES = re.compile(r"\b(?:builtins|typing|jax(?:\.\w+)*)\.(?=\w)")
#: Seconds for all the checkers together, which start at the same time, perhaps from a cold disk.
SECONDS = 180.0


class Sight(NamedTuple):
    """A checker, and what it sees of JAX's arrays."""

    checker: str
    path: str
    version: str
    #: The types that it reveals in `PROGRAM`, without modules; none if it could not be run.
    revealed: list[str]
    #: The last line of its output.
    said: str

    @property
    def sees_ours(self) -> bool:
        """Whether what it sees is ours: JAX's own types have no dtype."""
        return bool(self.revealed) and re.search(r"\bfloat32\b", self.revealed[0]) is not None

    @property
    def bits(self) -> str | None:
        """The width that it gives to the default dtype."""
        match = re.search(r"\bfloat(32|64)\b", " ".join(self.revealed[1:2]))
        return match[1] if match else None


def find_checkers(python: str) -> dict[str, str]:
    """The installed checkers with their paths: those beside `python` first."""
    beside = str(Path(python).parent)
    paths = {name: shutil.which(name, path=beside) or shutil.which(name) for name in OPTIONS}
    return {name: path for name, path in paths.items() if path}


def look(python: str, seconds: float = SECONDS) -> list[Sight]:
    """What each installed checker sees of the packages of `python`."""
    checkers = find_checkers(python)
    deadline = time.monotonic() + seconds
    with tempfile.TemporaryDirectory(prefix="jaxtyping-core-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        for file, text in {"program.py": PROGRAM, **CONFIGURATIONS}.items():
            (folder / file).write_text(text)
        versions = run_together([[path, "--version"] for path in checkers.values()], folder, deadline)
        options = [[option.format(python=python) for option in OPTIONS[name]] for name in checkers]
        commands = [
            [path, *arguments, "program.py"]
            for path, arguments in zip(checkers.values(), options, strict=True)
        ]
        outputs = run_together(commands, folder, deadline)
    return [
        Sight(name, path, _version(version), _revealed(output), _last_line(output))
        for (name, path), version, output in zip(checkers.items(), versions, outputs, strict=True)
    ]


def run_together(commands: Sequence[Sequence[str]], folder: Path, deadline: float) -> list[str]:
    """What each command prints; those that have not ended at `deadline` are ended, with all that they started."""
    running: list[subprocess.Popen[bytes] | None] = []
    outputs = [folder / f"output{number}" for number, _ in enumerate(commands)]
    try:
        for command, output in zip(commands, outputs, strict=True):
            running.append(_start(command, output))
        for process, output in zip(running, outputs, strict=True):
            _wait(process, output, deadline)
    finally:
        for process in running:
            _end(process)
    return [output.read_text(encoding="utf-8", errors="replace") for output in outputs]


def _start(command: Sequence[str], output: Path) -> subprocess.Popen[bytes] | None:
    try:
        with output.open("wb") as file:
            return subprocess.Popen(
                command,
                cwd=output.parent,
                env={**os.environ, "NO_COLOR": "1", "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"},
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
    except OSError as error:
        output.write_text(f"it could not be started: {error.strerror}")
        return None


def _wait(process: subprocess.Popen[bytes] | None, output: Path, deadline: float) -> None:
    try:
        if process:
            process.wait(max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        output.write_text("it took too long")


def _end(process: subprocess.Popen[bytes] | None) -> None:
    if process and process.poll() is None:
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        process.wait()


def _version(output: str) -> str:
    match = re.search(r"\d+(\.\d+)+", output)
    return match[0] if match else "?"


def _revealed(output: str) -> list[str]:
    matches = filter(None, map(REVEALED.search, output.splitlines()))
    types = [MODULES.sub("", match[1]) for match in matches]
    return types if len(types) == QUESTIONS else []


def _last_line(output: str) -> str:
    return (output.strip().splitlines() or ["it printed nothing"])[-1].strip()
