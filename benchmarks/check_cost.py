"""What `check` costs beside other checkers: with no cache at all, again with nothing changed, and after an edit of one function.

Times are processor seconds of all processes, and seconds by the clock; all ways run in turns on one machine, on copies of the same
files. The others check with stock JAX. A resident process is begun with the first run, and what it does counts.

    python benchmarks/check_cost.py examples/train.py folder/brax
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from plugin_cost import inherit, spent

from editor import stock_python
from jaxtyping_core.user import CACHE_VARIABLE

#: The runs of each way, by what the table calls them.
RUNS = ("first", "again", "after an edit")


class Way(NamedTuple):
    """A way to check: the command, given the name of what is checked, a folder of its own, and a Python with stock JAX."""

    command: Callable[[str, Path, Path], Sequence[str]]
    is_resident: bool = False


class Cost(NamedTuple):
    """Processor seconds, and seconds by the clock."""

    processor: float
    clock: float

    def __str__(self) -> str:
        return f"{self.processor:.2f} ({self.clock:.2f})"


def _tool(name: str) -> str:
    return str(Path(sys.executable).with_name(name))


def _ours(*options: str) -> Callable[[str, Path, Path], Sequence[str]]:
    return lambda name, *_: [sys.executable, "-P", "-m", "jaxtyping_core", "check", *options, name]


WAYS = {
    "check": Way(_ours()),
    "check, with a resident process": Way(_ours(), is_resident=True),
    "check --mypy": Way(_ours("--mypy")),
    "mypy": Way(
        lambda name, folder, stock: [
            _tool("mypy"),
            "--config-file=",
            f"--python-executable={stock}",
            f"--cache-dir={folder / 'mypy'}",
            name,
        ]
    ),
    "pyrefly": Way(
        lambda name, folder, stock: [_tool("pyrefly"), "check", f"--python-interpreter-path={stock}", name]
    ),
    "ty": Way(lambda name, folder, stock: [_tool("ty"), "check", f"--python={stock}", name]),
}


def cost(way: Way, name: str, folder: Path, stock: Path) -> Cost:
    """What one run in a folder costs, whose caches are in it."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment |= {CACHE_VARIABLE: str(folder / "answers"), "MYPY_CACHE_DIR": str(folder / "mypy")}
    environment |= {
        "JAXTYPING_CORE_DAEMON": str(int(way.is_resident)),
        "XDG_RUNTIME_DIR": str(folder / "run"),
    }
    command = way.command(name, folder, stock)
    begin = time.perf_counter()
    with tempfile.TemporaryFile() as told:
        process = spent(subprocess.Popen(command, cwd=folder, env=environment, stdout=told, stderr=told))
    return Cost(process.seconds, time.perf_counter() - begin)


def edit(path: Path) -> None:
    """Add a statement to the last function of the longest file."""
    files = [path] if path.is_file() else sorted(path.rglob("*.py"))
    file = max(files, key=lambda each: each.stat().st_size)
    lines = file.read_text().splitlines(keepends=True)
    functions = [node for node in ast.walk(ast.parse("".join(lines))) if isinstance(node, ast.FunctionDef)]
    last = max(functions, key=lambda node: node.lineno).body[-1]
    lines.insert(last.lineno - 1, " " * last.col_offset + "pass\n")
    file.write_text("".join(lines))


def costs(way: Way, path: Path, folder: Path, stock: Path) -> list[Cost]:
    """What the runs cost, on a copy of a file or a package."""
    (folder / ".git").mkdir(parents=True)
    (folder / "run").mkdir(mode=0o700)
    copy = folder / path.name
    shutil.copytree(path, copy) if path.is_dir() else shutil.copy(path, copy)
    made = []
    for number in range(len(RUNS)):
        if number == len(RUNS) - 1:
            edit(copy)
        made.append(cost(way, path.name, folder, stock))
    return made


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="+", type=Path, help="files and packages to check")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=[*WAYS], help="(default: all)")
    parser.add_argument("--stock", type=Path, help="a Python with JAX and without our stubs")
    options = parser.parse_args()
    inherit(resident=True)
    with tempfile.TemporaryDirectory() as scratch:
        stock = options.stock or stock_python(Path(scratch) / "stock")
        print(f"| | | {' | '.join(RUNS)} |", flush=True)
        for path in options.paths:
            for number, name in enumerate(options.ways):
                folder = Path(scratch) / path.stem / str(number)
                row = costs(WAYS[name], path.resolve(), folder, stock)
                print(f"| {path.stem} | {name} | {' | '.join(map(str, row))} |", flush=True)


if __name__ == "__main__":
    main()
