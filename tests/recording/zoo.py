"""A library that is not trusted, and programs that are recorded with it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from jaxtyping_core.programs.evaluate import evaluate_programs
from jaxtyping_core.programs.report import Report
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.recording import DEFAULT, PROCESS
from jaxtyping_core.recording.observed import Computed, Observed
from jaxtyping_core.recording.store import borders_of
from jaxtyping_core.settings import Settings
from jaxtyping_core.showing.listing import value

#: A library that is not trusted.
ZOO = """
import numpy as np

class Space:
    shape, n = (4,), 2

class Env:
    space = Space()
    def reset(self):
        return np.zeros(4, np.float32), {"mask": np.ones(3)}
    def step(self, action):
        return np.zeros(4, np.float32), 1.0, False

class Table:
    values = np.zeros((150, 4))
    def __getitem__(self, key):
        return np.zeros(150, np.int32)

class Loader:
    def __init__(self, size, count=3):
        self.size, self.count = size, count
    def __len__(self):
        return self.count
    def __iter__(self):
        for i in range(self.count):
            size = self.size if i + 1 < self.count else 5
            yield {"image": np.zeros((size, 28), np.uint8), "label": np.zeros(size, np.int64)}
    def __enter__(self):
        return np.ones((2, 2), np.float16)
    def __exit__(self, *error):
        return None

class Picture:
    def __array__(self, dtype=None, copy=None):
        return np.zeros((16, 24), np.uint8)

def load(name):
    return np.zeros((64, 28, 28), np.float32)

def pair():
    return [np.ones((3, 2), np.float32), np.ones(3, np.int32)]

def rows(count):
    return [np.zeros((5, 7), np.int16) for _ in range(count)]
"""
HEAD = "import jax.numpy as jnp\nimport numpy as np\nimport zoo\n"


def record(folder: Path, text: str, *arguments: str, fails: bool = False) -> None:
    (folder / "train.py").write_text(HEAD + text)
    command = [sys.executable, PROCESS, "--out", str(DEFAULT), "--quiet", "--", "train.py", *arguments]
    ended = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    assert bool(ended.returncode) == fails, ended.stderr.decode()


def kept_at_all(folder: Path) -> list[Observed]:
    file = folder.resolve() / "train.py"
    return [*borders_of(folder / DEFAULT, [file])[file].values()]


def kept(folder: Path) -> list[Observed]:
    """What came from outside."""
    return [each for each in kept_at_all(folder) if not isinstance(each, Computed)]


def evaluated(folder: Path, text: str | None = None, **settings: bool) -> Report:
    file = folder / "train.py"
    if text is not None:
        file.write_text(HEAD + text)
    configured = Settings()._replace(**settings)  # type: ignore[arg-type]  # all settings that are passed are bools
    return evaluate_programs([*collect([file], ())], configured, cached=False, with_sizes=True)


def shown(report: Report) -> Mapping[str, str]:
    return {place.name: value(place) for place in report.places}
