"""What a type checker's run costs with our stubs, relative to stock JAX.

Times are CPU seconds of the checker and its children, so that a busy machine matters little; the two sides run in
turns, and the least of the rounds counts. Both sides are checked by the same program, which is told where the
packages are. The cold start, a run over two lines, is subtracted from the time of a program. mypy's cold start would
be most of the time: it has no cache in its own row, and a cache elsewhere. Exits with status 1 if a ratio is above its
target.

    python benchmarks/checker_cost.py
    python benchmarks/checker_cost.py --checkers mypy pyright --stock stock/bin/python --lines 2500 5000
"""

from __future__ import annotations

import argparse
import importlib.metadata
import itertools
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from sample_program import program

from editor import stock_python

SIDES: tuple[str, ...] = ("stock", "ours")
TWO_LINES = "import jax.numpy as jnp\nx = jnp.ones(3) + 1\n"


class Checker(NamedTuple):
    """How a checker is run, and the ratios that it should not exceed."""

    #: Its options, given a folder of its own and the interpreter that has the packages.
    options: Callable[[Path, Path], list[str]]
    program: float
    cold: float | None = None
    #: The option that names the folder of its cache, if it has any.
    cache: str = ""


def mypy(folder: Path, python: Path) -> list[str]:
    return ["--config-file=", f"--python-executable={python}"]


def pyright(folder: Path, python: Path) -> list[str]:
    (folder / "pyrightconfig.json").write_text("{}")
    return [f"--pythonpath={python}"]


def pyrefly(folder: Path, python: Path) -> list[str]:
    (folder / "pyrefly.toml").touch()
    return ["check", f"--python-interpreter-path={python}"]


def ty(folder: Path, python: Path) -> list[str]:
    return ["check", f"--python={python}"]


def zuban(folder: Path, python: Path) -> list[str]:
    return ["check", f"--python-executable={python}"]


CHECKERS = {
    "mypy": Checker(mypy, program=3.0, cold=0.5, cache="--cache-dir"),
    "pyright": Checker(pyright, program=1.5),
    "pyrefly": Checker(pyrefly, program=1.5),
    "ty": Checker(ty, program=1.5),
    "zuban": Checker(zuban, program=3.0),
}


class Bench:
    """Runs of a checker over the programs of two sides, in folders of their own."""

    def __init__(self, name: str, folder: Path, pythons: dict[str, Path], rounds: int) -> None:
        self.name = name
        self.folder = folder
        self.pythons = pythons
        self.rounds = rounds
        self._runs = itertools.count()

    def seconds(self, texts: dict[str, str], cached: bool) -> dict[str, float]:
        """The least CPU seconds of each side over its text."""
        if cached and CHECKERS[self.name].cache:
            for side in SIDES:  # the modules that are imported are then in the cache
                self._run(side, program(0, side == "stock"), cached)
        rounds = [{side: self._run(side, texts[side], cached) for side in SIDES} for _ in range(self.rounds)]
        return {side: min(seconds[side] for seconds in rounds) for side in SIDES}

    def _run(self, side: str, text: str, cached: bool) -> float:
        work = Path(tempfile.mkdtemp(dir=self.folder))
        file = work / f"program_{next(self._runs)}.py"  # a new name: not itself in the cache
        file.write_text(text)
        checker = CHECKERS[self.name]
        options = checker.options(work, self.pythons[side])
        if checker.cache:
            options.append(f"{checker.cache}={self.folder / side if cached else os.devnull}")
        return cpu_seconds([*command_of(self.name), *options, file.name], work)


def command_of(checker: str) -> list[str]:
    """The checker beside the running interpreter, or that on PATH."""
    beside = shutil.which(checker, path=str(Path(sys.executable).parent))
    program = beside or shutil.which(checker)
    return [program] if program else []


def cpu_seconds(command: list[str], folder: Path) -> float:
    """The user and system time of a command and of all that it waits for."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, cwd=folder, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1):  # 1: it found errors, which is no failure
            output.seek(0)
            sys.exit(f"{' '.join(command)} failed:\n{output.read().decode()[-2000:]}")
    return usage.ru_utime + usage.ru_stime


class Row(NamedTuple):
    """A row of the table; the ratio should not exceed `target`, the value of our side not `limit`."""

    what: str
    values: dict[str, float]
    target: float | None = None
    limit: float | None = None

    @property
    def ratio(self) -> float:
        return self.values["ours"] / self.values["stock"]

    def __str__(self) -> str:
        target = "" if self.target is None else f"{self.target:g}"
        stock, ours = (self.values[side] for side in SIDES)
        return f"{self.what} | {stock:.2f} | {ours:.2f} | {self.ratio:.2f} | {target} |"

    @property
    def missed(self) -> bool:
        return bool(
            (self.target and self.ratio > self.target) or (self.limit and self.values["ours"] > self.limit)
        )


def rows(bench: Bench, lengths: list[int]) -> Iterator[Row]:
    """The rows of a checker."""
    checker = CHECKERS[bench.name]
    both = dict.fromkeys(SIDES, TWO_LINES)
    cold = bench.seconds(both, cached=False)
    yield Row("two lines, cold", cold, checker.cold)
    if checker.cache:
        cold = bench.seconds(both, cached=True)
        yield Row("two lines, cached", cold)
    nets = []
    for lines in lengths:
        seconds = bench.seconds({side: program(lines, side == "stock") for side in SIDES}, cached=True)
        nets.append({side: seconds[side] - cold[side] for side in SIDES})
        yield Row(f"{lines:,} lines, less that", nets[-1], checker.program)
    if len(lengths) > 1:
        growth = {side: nets[-1][side] / nets[0][side] * lengths[0] / lengths[-1] for side in SIDES}
        # A tenth is noise.
        yield Row(f"growth from {lengths[0]:,} to {lengths[-1]:,}; 1 is linear", growth, limit=1.1)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--checkers", nargs="+", choices=CHECKERS, default=list(CHECKERS))
    parser.add_argument("--lines", nargs="+", type=int, default=[2500, 5000, 10000], metavar="N")
    parser.add_argument("--rounds", type=int, default=3, help="how often each side is timed")
    parser.add_argument("--ours", type=Path, default=Path(sys.executable), metavar="PYTHON")
    parser.add_argument("--stock", type=Path, metavar="PYTHON", help="an environment without our stubs")
    arguments = parser.parse_args()
    installed = [name for name in arguments.checkers if command_of(name)]
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("jax", "numpy"))
    print(f"Python {platform.python_version()}, {versions}\n")
    print("| checker | program | stock, s | ours, s | ratio | target |\n|---|---|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory(prefix="checker-cost-") as name:
        folder = Path(name)
        stock = arguments.stock or stock_python(folder / "stock")
        pythons = {"stock": stock.absolute(), "ours": arguments.ours.absolute()}
        missed = []
        for checker in installed:
            (folder / checker).mkdir()
            for row in rows(Bench(checker, folder / checker, pythons, arguments.rounds), arguments.lines):
                print(f"| {checker} | {row}", flush=True)
                missed += [f"\nmissed: {checker}, {row.what}"] if row.missed else []
    print("".join(missed))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
