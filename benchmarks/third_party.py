"""Checks the source of installed third-party packages with stock JAX, and with our stubs.

The packages were written without us: an error that a checker reports only with our stubs is a false one
until shown otherwise. Exits with status 1 if there is any.

    python benchmarks/third_party.py equinox optax --checkers mypy pyright
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
#: Both sides get the versions of the running environment.
PINNED = ("jax", "jaxlib", "numpy", "mypy")
#: A failure of the plugin, which it reports in a note, counts as an error.
MYPY_ERROR = re.compile(
    r"^(?P<file>.+?):(?P<line>\d+): (?:error: |note: (?=jaxtyping_core could not type))"
    r"(?P<text>.*?)(?:  \[(?P<code>[\w-]+)\])?$"
)


#: The codes of a call that is refused: which one depends on whether the function has overloads.
REFUSED = {"arg-type", "call-arg", "call-overload", "reportArgumentType", "reportCallIssue"}


class Error(NamedTuple):
    """One error. Two are the same if `key` is: types are spelled differently on the two sides."""

    file: str
    line: int
    code: str
    text: str

    @property
    def key(self) -> tuple[str, int, str]:
        return (self.file, self.line, "refused" if self.code in REFUSED else self.code)

    def __str__(self) -> str:
        text = self.text.replace("\n", " ")
        text = text if len(text) < 200 else f"{text[:200]}..."
        return f"{self.file}:{self.line}: {text}  [{self.code}]"


class Side:
    """An environment with the packages in it."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.folder = folder
        self.python = folder / "venv" / "bin" / "python"
        if not self.python.exists():
            venv.create(folder / "venv", with_pip=True)

    def install(self, *requirements: str) -> None:
        command = [str(self.python), "-m", "pip", "install", "--quiet", *requirements]
        subprocess.run(command, check=True)

    def frozen(self) -> list[str]:
        """The versions of all that is installed."""
        command = [str(self.python), "-m", "pip", "freeze"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\n")

    def source(self, package: str) -> Path:
        folders = list(self.folder.glob(f"venv/lib/*/site-packages/{package}"))
        if len(folders) != 1:
            sys.exit(f"{package} is not the name of a package in {self.folder}")
        return folders[0]

    def check(self, checker: Checker, package: str) -> tuple[list[Error], float]:
        """The errors of a checker, run without a cache, and the seconds that it took."""
        work = Path(tempfile.mkdtemp(dir=self.folder))
        command = checker.prepare(self, work, package)
        start = time.perf_counter()
        done = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
        seconds = time.perf_counter() - start
        if done.returncode not in (0, 1):
            sys.exit(f"{checker.name} failed on the {self.name} side:\n{done.stdout}{done.stderr}")
        # Files are named from the package on, wherever a checker was given them.
        return list(checker.read(done.stdout.replace(f"{work}/", "site-packages/"))), seconds


class Checker(NamedTuple):
    """How a checker is run on one side, in a folder of its own, and what it says."""

    name: str
    prepare: Callable[[Side, Path, str], list[str]]
    read: Callable[[str], Iterable[Error]]


def mypy(config: str, ours: str = "") -> Callable[[Side, Path, str], list[str]]:
    """mypy with `config`, to which our side adds `ours`."""

    def prepare(side: Side, work: Path, package: str) -> list[str]:
        (work / "mypy.ini").write_text("[mypy]\n" + config + (ours if side.name == "ours" else ""))
        (side.source(package) / "py.typed").touch()  # or mypy would not follow the package
        return [str(side.python), "-P", "-m", "mypy", "--cache-dir=/dev/null", "-p", package]

    return prepare


def read_mypy(output: str) -> Iterable[Error]:
    for line in output.splitlines():
        if match := MYPY_ERROR.match(line):
            file = match["file"].rpartition("site-packages/")[2]
            yield Error(file, int(match["line"]), match["code"] or "", match["text"])


def pyright(side: Side, work: Path, package: str) -> list[str]:
    """The running environment's pyright, on a copy: it checks no installed packages."""
    (work / "pyrightconfig.json").write_text("{}")
    shutil.copytree(side.source(package), work / package)
    return [sys.executable, "-m", "pyright", "--outputjson", f"--pythonpath={side.python}"]


def read_pyright(output: str) -> Iterable[Error]:
    errors = [error for error in json.loads(output)["generalDiagnostics"] if error["severity"] == "error"]
    arguments = [error for error in errors if error.get("rule") == "reportArgumentType"]
    for error in errors:
        # A refused call of a function with overloads is reported twice: the call, and the argument.
        if error.get("rule") != "reportCallIssue" or not any(
            _within(argument, error) for argument in arguments
        ):
            file = error["file"].rpartition("site-packages/")[2]
            yield Error(file, error["range"]["start"]["line"] + 1, error.get("rule", ""), error["message"])


def _within(inner: dict[str, Any], outer: dict[str, Any]) -> bool:
    """Whether a diagnostic of pyright lies in the range of another."""
    inside, around = ([tuple(at.values()) for at in error["range"].values()] for error in (inner, outer))
    return inner["file"] == outer["file"] and around[0] <= inside[0] and inside[1] <= around[1]


CHECKERS = {
    "mypy": Checker("mypy", mypy(""), read_mypy),
    # Our plugin sets allow_redefinition; the stock side gets it too, so that it is no difference.
    "plugin": Checker(
        "mypy with the plugin",
        mypy("allow_redefinition = true\n", "plugins = jaxtyping_core.mypy\n"),
        read_mypy,
    ),
    "pyright": Checker("pyright", pyright, read_pyright),
}


def missing_from(errors: Sequence[Error], others: Sequence[Error]) -> list[Error]:
    """Those of `errors` that are not among `others`, each counted as often as it occurs."""
    left = Counter(error.key for error in others)
    missing = []
    for error in errors:
        if left[error.key]:
            left[error.key] -= 1
        else:
            missing.append(error)
    return missing


def pinned() -> list[str]:
    """What to install, so that an environment is like the running one."""
    return [f"{name}=={importlib.metadata.version(name)}" for name in PINNED]


def set_up(packages: Sequence[str], folder: Path) -> tuple[Side, Side]:
    """The two sides, alike but for us."""
    stock = Side("stock", folder / "stock")
    stock.install(*packages, *pinned())
    same = folder / "constraints.txt"
    same.write_text("\n".join(stock.frozen()))
    ours = Side("ours", folder / "ours")
    ours.install(*packages, *pinned(), str(ROOT), "--constraint", str(same))
    for side, expected in ((stock, False), (ours, True)):
        if any(side.folder.glob("venv/lib/*/site-packages/jax-stubs")) is not expected:
            sys.exit(f"jax-stubs must be on our side only; see {side.folder}")
    return stock, ours


def compare(checker: Checker, package: str, sides: tuple[Side, Side], rounds: int) -> list[Error]:
    """Print a row of the table; the errors that are new with us."""
    runs = [
        [side.check(checker, package) for side in sides] for _ in range(rounds)
    ]  # in turns: a busy machine slows both
    (stock, _), (ours, _) = runs[-1]
    a, b = (statistics.median(run[side][1] for run in runs) for side in (0, 1))
    new, gone = missing_from(ours, stock), missing_from(stock, ours)
    print(
        f"| {package} | {checker.name} | {len(stock)} | {len(ours)} | {len(new)} | {len(gone)}"
        f" | {a:.1f} | {b:.1f} | {b / a:.2f} |",
        flush=True,
    )
    return new


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("packages", nargs="*", default=["equinox"], help="packages with type annotations")
    parser.add_argument("--checkers", nargs="+", choices=CHECKERS, default=list(CHECKERS))
    parser.add_argument("--rounds", type=int, default=3, help="how often each side is timed")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="third-party-") as folder:
        sides = set_up(arguments.packages, Path(folder))
        own = tuple(f"{name.lower()}==" for name in (*PINNED, *arguments.packages))
        versions = [line for line in sides[0].frozen() if line.lower().startswith(own)]
        print(f"Python {platform.python_version()}, {', '.join(versions)}\n")
        print("| package | checker | errors, stock | ours | new | gone | seconds, stock | ours | ratio |")
        print("|---|---|--:|--:|--:|--:|--:|--:|--:|")
        new = [
            (checker, error)
            for package in arguments.packages
            for checker in arguments.checkers
            for error in compare(CHECKERS[checker], package, sides, arguments.rounds)
        ]
    print("".join(f"\nnew with us, {checker}: {error}" for checker, error in new))
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main())
