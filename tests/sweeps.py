"""Sweeps: tests over all of something, of which a tenth is tried until what they depend on has changed.

A sweep that was run whole is written down in ``sweeps.json`` beside this file, with a digest of the files and packages that it depends
on. Where the digest is another one, the whole sweep is due in ``make test``, and an eighth of it in ``.ci/run``, which has limited time;
else a tenth of it is tried, another one for each commit. ``make test-all`` runs all sweeps whole, and writes the digests down if
nothing fails.

A test says that it is a part of one by ``pytest.mark.sweep("wall")``, of which a tenth of the cases stay, or asks `some`.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import json
import math
import os
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

T = TypeVar("T")
ROOT = Path(__file__).parents[1]
RECORD = Path(__file__).with_name("sweeps.json")
#: The variable that says which sweeps are whole: those that are due if it is not set, `ALL`, or `NONE`. With `SHORT`, none is
#: whole, and of those that are due more is tried.
VARIABLE, ALL, NONE, SHORT = "SWEEPS", "all", "none", "short"
#: The variable that chooses the tenth; the commit if it is not set.
SEED = "SWEEPS_SEED"
#: What stays of a sweep that is not due, and of one that is due where time is limited: one case of so many, and at least so many.
PART, PART_OF_DUE, LEAST = 10, 8, 4


#: The variable that says that one file of tests of so many is tried, others for each commit.
FILES = "ONE_FILE_OF"


class Sweep(NamedTuple):
    """What a sweep depends on: patterns of files, and whether the installed packages count."""

    files: tuple[str, ...]
    packages: bool = True


_STUBS = (
    "stubs/**/*.pyi",
    "stubs/jaxtyping_core_stubs/**/*.py",
    "jaxtyping_core/typing.pyi",
    "jaxtyping_core/_results.pyi",
)
_PROMOTION = (
    "jaxtyping_core/dtypes.py",
    "jaxtyping_core/lattice.py",
    "jaxtyping_core/promotion.py",
    "jaxtyping_core/systems/*.py",
)
SWEEPS = {
    "checkers": Sweep(
        (*_STUBS, *_PROMOTION, "tests/conformance/**/*.py", "tests/stubs/*.py", "tests/checkers.py")
    ),
    "layer": Sweep((*_PROMOTION, "jaxtyping_core/numpy/*.py", "tests/layer/**/*.py")),
    "promotion": Sweep((*_PROMOTION, "tests/promotion/**/*.py")),
    "truth": Sweep(
        (
            "tests/programs/refusing/*.py",
            "tests/programs/test_refusing.py",
            "tests/programs/of_libraries/*.py",
            "tests/programs/test_libraries.py",
            "tests/claims/**/*.py",
            "tests/programs/truth/*.py",
        )
    ),
    "calls": Sweep(
        (
            "jaxtyping_core/evaluation/child/**/*.py",
            "jaxtyping_core/sampling/**/*.py",
            "jaxtyping_core/engine/**/*.py",
            "jaxtyping_core/overlays/**/*.py",
            "jaxtyping_core/domain/*.py",
            "tests/programs/data/*",
            "tests/programs/claims_of_calls.py",
        )
    ),
    "heap": Sweep(
        (
            "jaxtyping_core/engine/**/*.py",
            "jaxtyping_core/overlays/**/*.py",
            "tests/programs/test_heap.py",
            "tests/programs/full_snapshots.py",
        )
    ),
    "frozen": Sweep(
        (
            "jaxtyping_core/**/*.py",
            "mypy_plugin/**/*.py",
            "tests/frozen/**/*.py",
            "tests/inferred/*.py",
            "tests/frozen/**/*.jsonl",
        )
    ),
    "pages": Sweep(
        (
            "README.md",
            "docs/**/*.md",
            "jaxtyping_core/**/*.py",
            "mypy_plugin/**/*.py",
            "tests/docs/*.py",
        )
    ),
    "wall": Sweep(
        (
            "jaxtyping_core/evaluation/wall/*.py",
            "jaxtyping_core/evaluation/*.py",
            "jaxtyping_core/evaluation/child/serve.py",
            "jaxtyping_core/sampling/package.py",
            "jaxtyping_core/engine/libraries/entry_points.py",
            "jaxtyping_core/evaluation/child/__main__.py",
            "tests/hostile/**/*.py",
        )
    ),
}


def digest(name: str) -> str:
    """What a sweep depends on, as it is now."""
    sweep, hashed = SWEEPS[name], hashlib.sha256()
    for file in sorted({file for pattern in sweep.files for file in ROOT.glob(pattern)}):
        hashed.update(f"{file.relative_to(ROOT)}\n".encode())
        hashed.update(file.read_bytes())
    if sweep.packages:
        hashed.update("\n".join(_packages()).encode())
    return hashed.hexdigest()


@functools.cache
def is_whole(name: str) -> bool:
    """Whether all of a sweep is tried."""
    wanted = os.environ.get(VARIABLE, "")
    return wanted == ALL or (not wanted and is_due(name))


@functools.cache
def is_due(name: str) -> bool:
    """Whether something has changed since all of a sweep was tried."""
    return recorded().get(name) != digest(name)


def some(name: str, cases: Sequence[T]) -> Sequence[T]:
    """The cases of a sweep that are tried, in their order."""
    if is_whole(name):
        return cases
    is_more = os.environ.get(VARIABLE) == SHORT and is_due(name)
    number = min(len(cases), max(LEAST, math.ceil(len(cases) / (PART_OF_DUE if is_more else PART))))
    chosen = random.Random(seed()).sample(range(len(cases)), number)
    return [cases[place] for place in sorted(chosen)]


def has_file(name: str) -> bool:
    """Whether the tests of a file are tried: all are, unless `FILES` says otherwise."""
    parts = int(os.environ.get(FILES) or 1)
    return int(hashlib.sha256(f"{seed()} {name}".encode()).hexdigest(), 16) % parts == 0


def floor(name: str, share: float, tried: int) -> float:
    """The share that `tried` cases must reach where all cases reach `share`: of a tenth, three standard errors less."""
    return share if is_whole(name) else share - 3 * math.sqrt(share * (1 - share) / max(tried, 1))


@functools.cache
def seed() -> str:
    """What chooses the tenth: the same in all processes of a run."""
    if SEED not in os.environ:
        command = ["git", "rev-parse", "HEAD"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        os.environ[SEED] = done.stdout.strip()[:12] or "0"
    return os.environ[SEED]


def told() -> str:
    """What a run of the tests says of its sweeps first."""
    whole = [name for name in SWEEPS if is_whole(name)]
    short = [name for name in SWEEPS if os.environ.get(VARIABLE) == SHORT and is_due(name)]
    parts = f"whole: {', '.join(whole) or 'none'}; an eighth: {', '.join(short) or 'none'}"
    files = f"; one file of {os.environ[FILES]}" if os.environ.get(FILES) else ""
    return f"sweeps: {parts}; a tenth of the others, {SEED}={seed()}{files}"


def recorded() -> dict[str, str]:
    """The digests of the last whole sweeps under this Python."""
    told: dict[str, dict[str, str]] = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    return told.get(_python(), {})


def record() -> None:
    """Write down that all sweeps were run whole, as everything is now."""
    told = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    told[_python()] = {name: digest(name) for name in SWEEPS}
    RECORD.write_text(json.dumps(told, indent=1, sort_keys=True) + "\n")


def _python() -> str:
    return f"{sys.version_info.major}.{sys.version_info.minor}"


@functools.cache
def _packages() -> list[str]:
    return sorted(_installed())


def _installed() -> Iterator[str]:
    for distribution in importlib.metadata.distributions():
        if (name := distribution.metadata["Name"]) and name not in ("jaxtyping_core", "pip"):
            yield f"{name} {distribution.version}"


if __name__ == "__main__":
    record()
