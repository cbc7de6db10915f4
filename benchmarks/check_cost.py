"""What `check` costs with and without mypy beside it: once with no cache at all, and once more with nothing changed.

Times are processor seconds, those of children included; both ways run in turns on one machine, on copies of the same files.

    python benchmarks/check_cost.py examples/train.py folder/brax
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from plugin_cost import inherit, spent

from jaxtyping_core.user import CACHE_VARIABLE

#: The ways to check, by what the table calls them.
WAYS = {"check": (), "check --mypy": ("--mypy",)}
#: Runs of each: the second one has what the first has kept.
RUNS = 2


def seconds(folder: Path, name: str, options: tuple[str, ...]) -> float:
    """The processor seconds of one run in a folder, whose caches are in it."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment |= {CACHE_VARIABLE: str(folder / "answers"), "MYPY_CACHE_DIR": str(folder / "mypy")}
    command = [sys.executable, "-P", "-m", "jaxtyping_core", "check", *options, name]
    with tempfile.TemporaryFile() as told:
        cost = spent(subprocess.Popen(command, cwd=folder, env=environment, stdout=told, stderr=told))
    return cost.seconds


def measured(path: Path, folder: Path) -> dict[str, list[float]]:
    """The seconds of the runs of each way, on a copy of a file or a package for each."""
    costs: dict[str, list[float]] = {}
    for number, (way, options) in enumerate(WAYS.items()):
        place = folder / str(number)
        place.mkdir(parents=True)
        (place / ".git").mkdir()
        copy = place / path.name
        shutil.copytree(path, copy) if path.is_dir() else shutil.copy(path, copy)
        costs[way] = [seconds(place, path.name, options) for _ in range(RUNS)]
    return costs


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="+", type=Path, help="files and packages to check")
    options = parser.parse_args()
    inherit()
    print(f"| | {' | '.join(f'{way}, first | again' for way in WAYS)} |")
    for path in options.paths:
        with tempfile.TemporaryDirectory() as folder:
            costs = measured(path.resolve(), Path(folder))
        print(f"| {path.stem} | {' | '.join(f'{cost:.1f}' for each in costs.values() for cost in each)} |")


if __name__ == "__main__":
    main()
