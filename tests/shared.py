"""What many tests need is made once in a run of the tests, by whichever of its processes comes first."""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
#: The variable that tells the processes of a run where their common folder is.
VARIABLE = "SHARED_BY_TESTS"
#: Words of notes where a program was not evaluated to its end; nothing of the program is shown then.
NOT_EVALUATED = ("took too long", "was not evaluated", "ended early")


def root() -> Path:
    """The common folder; the process that makes it removes it at its end."""
    if VARIABLE not in os.environ:
        made = os.environ[VARIABLE] = tempfile.mkdtemp(prefix="tests-")
        atexit.register(shutil.rmtree, made, ignore_errors=True)
    return Path(os.environ[VARIABLE])


def folder(name: str, make: Callable[[Path], None]) -> Path:
    """The folder `name`, which `make` fills at the first call in a run. Nobody may write to it afterwards."""
    made = root() / name
    with _locked(made.with_name(f"{name}.lock")):
        if not made.exists():
            new = made.with_name(f"{name}.new")
            shutil.rmtree(new, ignore_errors=True)  # of a call that failed
            new.mkdir()
            make(new)
            new.rename(made)
    return made


def value(name: str, compute: Callable[[], T]) -> T:
    """What `compute` gives at the first call in a run; it can be pickled."""

    def make(new: Path) -> None:
        (new / "value").write_bytes(pickle.dumps(compute()))

    kept: T = pickle.loads((folder(name, make) / "value").read_bytes())
    return kept


@contextlib.contextmanager
def _locked(file: Path) -> Iterator[None]:
    try:
        import fcntl
    except ImportError:  # not on Windows, where one process runs all tests
        yield
        return
    with file.open("w") as opened:
        fcntl.flock(opened, fcntl.LOCK_EX)
        yield
