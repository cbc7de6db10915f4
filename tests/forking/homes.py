"""Which commands start in which nursery, and how a nursery is started."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from jaxtyping_core.evaluation.client import CHILD
from jaxtyping_core.evaluation.wall import environ

HERE = Path(__file__).parent
#: ``subprocess.Popen`` as it is elsewhere.
Popen = subprocess.Popen
#: Variables that modules look at while they are imported, and Python and the system when it starts.
EARLY = ("LD_", "LC_", "LANG", "TZ", "JAX_", "XLA_", "OMP_", "OPENBLAS_", "MKL_", "MALLOC_")
EARLY_ALONE = ("FORCE_COLOR", "NO_COLOR", "PY_COLORS", "GITHUB_ACTIONS", "TERM", "TERMINAL_WIDTH", "COLUMNS")
#: One that a fork can still obey.
LATE = "PYTHONIOENCODING"
#: The installed command.
COMMAND = str(Path(sys.executable).with_name("jaxtyping-core"))
#: Modules that ``python -P -m`` runs.
MODULES = ("mypy", "jaxtyping_core")


class Home:
    """A nursery: what starts there, and where it listens.

    Args:
        name: that of the module that runs it.
        takes: the arguments of a process in ``sys.argv``, if it can start here.
        options: those of the interpreter.
        variables: what the nursery is started with.
    """

    #: Whether nothing is forked now.
    is_off: ClassVar[bool] = False

    def __init__(
        self,
        name: str,
        takes: Callable[[Sequence[str]], list[str] | None],
        options: Sequence[str],
        variables: Callable[[], dict[str, str]],
    ) -> None:
        self.name, self.takes = name, takes
        self._options, self._variables = options, variables
        #: Where it listens, and what of its variables counts; set where it runs.
        self.address, self.early = "", dict[str, str]()
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start the nursery, if it does not run."""
        if self.address:
            return
        variables = self._variables()
        address = str(_folder() / self.name)
        self._process = Popen(
            [sys.executable, *self._options, str(HERE / f"{self.name}.py"), address, json.dumps(running())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=variables,
            text=True,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n", f"the nursery {self.name} does not start"
        self.address, self.early = address, early(variables)

    def can_have(self, variables: Mapping[str, str]) -> bool:
        """Whether a process with these variables may be a fork of this nursery."""
        return early(variables) == self.early


def early(variables: Mapping[str, str]) -> dict[str, str]:
    """The variables that a fork comes too late for."""
    return {
        name: value
        for name, value in variables.items()
        if name.startswith(EARLY) or name in EARLY_ALONE or _is_of_python(name)
    }


def _is_of_python(name: str) -> bool:
    """Whether a variable is the interpreter's; ``make PYTHON=...`` has one that is not."""
    return name.startswith("PYTHON") and name not in ("PYTHON", LATE)


def running() -> dict[str, tuple[str, dict[str, str]]]:
    """Where the nurseries that run listen, and what of their variables counts."""
    return {home.name: (home.address, home.early) for home in HOMES if home.address}


def know(nurseries: Mapping[str, tuple[str, dict[str, str]]]) -> None:
    """Take nurseries from what `running` says elsewhere."""
    for name, (address, variables) in nurseries.items():
        home = next(home for home in HOMES if home.name == name)
        home.address, home.early = address, variables


def _command(command: Sequence[str]) -> list[str] | None:
    """Commands, mypy and our other modules; not ``lsp``, whose client waits for it in ways of its own."""
    start = [sys.executable, "-P", "-m"]
    if [*command[: len(start)]] == start and command[len(start)] in MODULES:
        command = command[len(start) :]
    elif command[0] != COMMAND:
        return None
    return None if command[1:2] == ["lsp"] else [*command]


def _child(command: Sequence[str]) -> list[str] | None:
    start = [sys.executable, "-E", "-P", str(CHILD)]
    return [*command[len(start) - 1 :]] if [*command[: len(start)]] == start else None


def _folder() -> Path:
    global _made
    if _made is None:
        _made = tempfile.TemporaryDirectory(prefix="nurseries-")
        atexit.register(_made.cleanup)
    return Path(_made.name)


_made: tempfile.TemporaryDirectory[str] | None = None
#: Those that others fork in come first.
HOMES = (
    Home("children", _child, ("-E", "-P"), lambda: environ.scrubbed(os.environ)),
    Home("commands", _command, ("-P",), lambda: dict(os.environ)),
)


def home_of(command: Sequence[str], variables: Mapping[str, str]) -> Home | None:
    """The nursery in which a command starts, with all that those need which it starts itself."""
    if Home.is_off or not any(home.takes(command) for home in HOMES):
        return None
    for home in HOMES:
        home.start()
        if home.takes(command):
            return home if home.can_have(variables) else None
    return None
