"""What a first run costs, on programs that were written without us: mypy with the plugin, and the engine by itself.

Times are processor seconds, those of children included. A run of mypy has two parts: first the libraries that the program
imports, with no cache at all, then the program, with the libraries in mypy's cache. The sum of both is what a first run costs.
The two sides run in turns on one machine, so that their ratios mean something. Linux only.

    python benchmarks/first_run.py --mypy folder/flax folder/brax --show examples/train.py folder/brax
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from plugin_cost import Cost, inherit, run, spent

from editor import stock_python
from jaxtyping_core.programs.callers import with_callers
from jaxtyping_core.programs.evaluate import evaluate_programs
from jaxtyping_core.programs.files import python_files
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings
from jaxtyping_core.user import CACHE_VARIABLE

#: The option by which this file evaluates a program, in a process whose time is measured.
ENGINE = "--engine"


def libraries(package: Path) -> str:
    """A module that imports what a package imports from elsewhere."""
    names = {name for file in package.rglob("*.py") for name in imported(file)}
    return "".join(
        f"import {name}  # type: ignore\n" for name in sorted(names) if name.partition(".")[0] != package.name
    )


def imported(file: Path) -> Iterator[str]:
    """The names of the modules that a file imports from elsewhere."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


class First(NamedTuple):
    """The processor seconds of the parts of a first run of mypy."""

    libraries: float
    program: float


def first(folder: Path, package: Path, python: Path, plugin: bool) -> First:
    """mypy on the libraries of a package, and then on the package."""
    folder.mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / "head.py").write_text(libraries(package))
    of_libraries = run(folder, python, "head.py", plugin)
    shutil.rmtree(folder / "answers", ignore_errors=True)
    (folder / "head.py").unlink()
    shutil.copytree(package, folder / package.name)
    return First(of_libraries.seconds, run(folder, python, package.name, plugin).seconds)


def evaluated(path: Path, folder: Path) -> Cost:
    """The engine on a file or a package, as `show` has it evaluated."""
    copy = folder / path.name
    copy.parent.mkdir(parents=True)
    (copy.parent / ".git").mkdir()
    shutil.copytree(path, copy) if path.is_dir() else shutil.copy(path, copy)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment[CACHE_VARIABLE] = os.devnull
    command = [sys.executable, str(Path(__file__).absolute()), ENGINE, copy.name]
    return spent(subprocess.Popen(command, cwd=copy.parent, env=environment))


def evaluate(path: Path) -> None:
    """Evaluate the programs of a path, and say how many places are known."""
    settings = Settings()
    files = python_files([path])
    programs, _ = with_callers(collect(files.of_arrays, settings.trusted), settings.trusted)
    report = evaluate_programs(programs, settings, cached=False)
    known = sum(not place.is_open for place in report.places)
    print(
        f"{path}: {known} of {len(report.places)} places known; {'; '.join(report.lost) or 'nothing is lost'}"
    )


def main() -> int:
    """Measure, and print a row for each program."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--mypy", nargs="*", type=Path, default=[], help="folders of packages")
    parser.add_argument("--show", nargs="*", type=Path, default=[], help="files, or folders of packages")
    parser.add_argument(ENGINE, type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.engine:
        evaluate(arguments.engine)
        return 0
    inherit()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        stock = stock_python(folder / "environment")
        print(
            "| program | libraries, stock, s | ours | program, stock, s | ours | ratio | ratio of the sums |"
        )
        print("|---|--:|--:|--:|--:|--:|--:|", flush=True)
        for package in map(Path.absolute, arguments.mypy):
            base = first(folder / package.name / "stock", package, stock, plugin=False)
            ours = first(folder / package.name / "ours", package, Path(sys.executable), plugin=True)
            figures = [base.libraries, ours.libraries, base.program, ours.program]
            figures += [ours.program / base.program, sum(ours) / sum(base)]
            print(f"| {package.name} |", " | ".join(f"{figure:.1f}" for figure in figures), "|", flush=True)
        print("\n| program | engine, s |\n| --- | --- |")
        for path in arguments.show:
            seconds = evaluated(path.absolute(), folder / f"show-{path.stem}").seconds
            print(f"| {path.name} | {seconds:.1f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
