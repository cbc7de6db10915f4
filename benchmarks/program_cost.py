"""What `mypy FILE` costs with the plugin, relative to stock mypy, on the public programs of program_cost.toml.

The libraries of a program are in mypy's cache, and the program is not. README.md says how a figure is measured. Linux only.

    python benchmarks/program_cost.py FOLDER
    python benchmarks/program_cost.py FOLDER --only jax-mppi --rounds 1
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import shutil
import statistics
import sys
import tempfile
import threading
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Self

from first_run import imported
from plugin_cost import inherit, is_resident, run

from editor import stock_python
from jaxtyping_core.programs.x64 import Switches
from jaxtyping_core.settings import Settings

#: The ratios that should not be exceeded: of the median, of each program, and of memory.
MEDIAN, MOST, MEMORY = 1.5, 4.0, 1.5
#: Both sides have them: the plugin sets the first, and not all that a program imports is installed.
OPTIONS = "allow_redefinition = true\nignore_missing_imports = true\n"
#: A program that uses what most programs use, so that answers about libraries are kept.
WARMING = """
import jax
import jax.numpy as jnp

def scaled(x: jax.Array) -> jax.Array:
    return jnp.tanh(x * 2.0) + jnp.ones(3)

y = scaled(jnp.zeros(3))
"""
#: Seconds from one sample of the memory to the next.
STEP = 0.02


class Program(NamedTuple):
    """A file in the checkout of its repository."""

    kind: str
    root: Path
    file: str

    def libraries(self) -> str:
        """A module that imports what the program and its neighbours import from elsewhere.

        It has 64-bit types if the program has them: mypy's cache is for one of both.
        """
        names = {name for file in self._own() for name in imported(file)}
        own = {path.stem for path in self._own()} | {
            path.name for path in self.root.rglob("*") if path.is_dir()
        }
        imports = "".join(f"import {name}\n" for name in sorted(names) if name.partition(".")[0] not in own)
        with contextlib.chdir(self.root):  # where mypy runs
            wide = Switches([Path(self.file)], False, Settings().trusted).any
        return imports + ('import jax\njax.config.update("jax_enable_x64", True)\n' if wide else "")

    def _own(self) -> Iterator[Path]:
        for path in self.root.rglob("*.py"):
            try:
                ast.parse(path.read_bytes())
            except (SyntaxError, ValueError):
                continue
            yield path


class Cost(NamedTuple):
    """The processor seconds of all processes of a run, and the most memory that they had together."""

    seconds: float
    mebibytes: float


class Memory:
    """Samples the memory of all processes below this one, until it is left; of resident ones only `with_resident`."""

    def __init__(self, with_resident: bool) -> None:
        self.most = 0
        self._with_resident = with_resident
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._sample)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        self._thread.join()

    def _sample(self) -> None:
        last = 0
        while not self._ends.wait(STEP):
            counted = (each for each in below("self") if self._with_resident or not is_resident(each))
            now = sum(map(proportional, counted))
            # Two in a row: in the middle of a fork, memory is counted twice.
            self.most, last = max(self.most, min(now, last)), now


def below(process: str) -> Iterator[str]:
    """The processes that a process has started, and those that these have."""
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            started = task.read_text().split()
        except OSError:
            continue
        for each in started:
            yield each
            yield from below(each)


def proportional(process: str) -> int:
    """The KiB of a process, with its part of what it shares; 0 if it has ended."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


class Side:
    """mypy with or without the plugin, on a copy of a program; the caches have its libraries."""

    def __init__(self, folder: Path, program: Program, python: Path, plugin: bool) -> None:
        self._folder, self._python, self._plugin, self._file = folder, python, plugin, program.file
        self._caches = [folder / ".mypy_cache", folder / "answers"]
        libraries = program.libraries()
        (folder / ".git").mkdir(parents=True)
        for name, text in (("libraries.py", libraries), ("warming.py", libraries + WARMING)):
            (folder / name).write_text(text)
            self._run(name)
            (folder / name).unlink()
        for cache in filter(Path.exists, self._caches):
            shutil.copytree(cache, cache.with_name(f"{cache.name}.kept"))
        shutil.copytree(program.root, folder, dirs_exist_ok=True)

    def _run(self, file: str) -> float:
        return run(self._folder, self._python, file, self._plugin, OPTIONS).seconds

    def cost(self) -> Cost:
        """What a run over the program costs."""
        for cache in self._caches:
            shutil.rmtree(cache, ignore_errors=True)
            kept = cache.with_name(f"{cache.name}.kept")
            if kept.exists():
                shutil.copytree(kept, cache)
        with Memory(self._plugin) as memory:
            seconds = self._run(self._file)
        return Cost(seconds, memory.most / 1024)


def main() -> int:
    """Measure, and print a row for each program; return 1 if a ratio is above its target."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="the folder of the checkouts")
    parser.add_argument(
        "--stock", type=Path, help="an interpreter with the same packages, without this project"
    )
    parser.add_argument("--only", nargs="*", default=[], help="parts of the names of repositories")
    parser.add_argument(
        "--resident", action="store_true", help="with the process that has imported JAX and stays"
    )
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    inherit(arguments.resident)
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())["programs"]
    ratios: list[tuple[float, float]] = []
    print("| program | stock, s | ours | ratio | stock, MiB | ours | ratio |\n|---|--:|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        stock = arguments.stock or stock_python(folder / "environment")
        for row in table:
            if arguments.only and not any(part in row["repository"] for part in arguments.only):
                continue
            program = Program(
                row["kind"], arguments.folder / row["repository"].replace("/", "+"), row["file"]
            )
            place = folder / program.root.name
            sides = [
                Side(place / "stock", program, stock, False),
                Side(place / "ours", program, Path(sys.executable), True),
            ]
            rounds = [[side.cost() for side in sides] for _ in range(arguments.rounds)]
            ratios.append(_row(row["repository"], [list(costs) for costs in zip(*rounds, strict=True)]))
    seconds, memory = (list(each) for each in zip(*ratios, strict=True))
    print(f"\nmedian {statistics.median(seconds):.2f}, worst {max(seconds):.2f}; ", end="")
    print(f"memory: median {statistics.median(memory):.2f}, worst {max(memory):.2f}")
    return int(statistics.median(seconds) > MEDIAN or max(seconds) > MOST or max(memory) > MEMORY)


def _row(name: str, costs: list[list[Cost]]) -> tuple[float, float]:
    """Print what a program costs on both sides; the ratios of the seconds and of the memory."""
    stock, ours = (Cost(*map(min, zip(*each, strict=True))) for each in costs)
    ratio, memory = ours.seconds / stock.seconds, ours.mebibytes / stock.mebibytes
    print(f"| {name} | {stock.seconds:.2f} | {ours.seconds:.2f} | {ratio:.2f} |", end="")
    print(f" {stock.mebibytes:.0f} | {ours.mebibytes:.0f} | {memory:.2f} |", flush=True)
    return ratio, memory


if __name__ == "__main__":
    sys.exit(main())
