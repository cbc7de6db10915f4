"""Checks the source of an installed third-party package with stock JAX, and with our stubs and plugin.

The package was written without us: an error that mypy reports only with our stubs and plugin is a false
one until shown otherwise. Exits with status 1 if there is any.

    python benchmarks/third_party.py equinox
"""

from __future__ import annotations

import argparse
import importlib.metadata
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
#: Both sides get the versions of the running environment.
PINNED = ("jax", "jaxlib", "numpy", "mypy")
#: Our plugin sets allow_redefinition; the stock side gets it too, so that it is no difference.
CONFIG = "[mypy]\nallow_redefinition = true\n"
WITH_PLUGIN = CONFIG + "plugins = jaxtyping_core.mypy\n"
#: A failure of the plugin, which it reports in a note, counts as an error.
ERROR = re.compile(
    r"^(?P<file>.+?):(?P<line>\d+): (?:error: |note: (?=jaxtyping_core could not type))"
    r"(?P<text>.*?)(?:  \[(?P<code>[\w-]+)\])?$"
)


class Error(NamedTuple):
    """One error of mypy. Two are the same if `key` is: types are spelled differently on the two sides."""

    file: str
    line: int
    code: str
    text: str

    @property
    def key(self) -> tuple[str, int, str]:
        return (self.file, self.line, self.code)

    def __str__(self) -> str:
        text = self.text if len(self.text) < 200 else f"{self.text[:200]}..."
        return f"{self.file}:{self.line}: {text}  [{self.code}]"


class Side:
    """A fresh environment with the package in it, and what mypy says there."""

    def __init__(self, name: str, folder: Path, config: str) -> None:
        self.name = name
        self.folder = folder
        self.python = folder / "venv" / "bin" / "python"
        self.errors: list[Error] = []
        self.seconds: list[float] = []
        venv.create(folder / "venv", with_pip=True)
        (folder / "mypy.ini").write_text(config)

    def install(self, *requirements: str) -> None:
        command = [str(self.python), "-m", "pip", "install", "--quiet", *requirements]
        subprocess.run(command, check=True)

    def frozen(self) -> list[str]:
        """The versions of all that is installed."""
        command = [str(self.python), "-m", "pip", "freeze"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\n")

    def mark_typed(self, package: str) -> None:
        """Make mypy follow a package that does not say that it has types."""
        found = list(self.folder.glob(f"venv/lib/*/site-packages/{package}"))
        if len(found) != 1:
            sys.exit(f"{package} is not the name of a package in {self.folder}")
        (found[0] / "py.typed").touch()

    def check(self, package: str) -> None:
        """Run mypy without a cache; keep its errors and the time it took."""
        command = [str(self.python), "-P", "-m", "mypy", "--cache-dir=/dev/null", "-p", package]
        start = time.perf_counter()
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        self.seconds.append(time.perf_counter() - start)
        if done.returncode not in (0, 1):
            sys.exit(f"mypy failed on the {self.name} side:\n{done.stdout}{done.stderr}")
        self.errors = list(read_errors(done.stdout))

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)


def read_errors(output: str) -> Iterable[Error]:
    """The errors in mypy's output; files are named from the folder of installed packages on."""
    for line in output.splitlines():
        if found := ERROR.match(line):
            file = found["file"].rpartition("site-packages/")[2]
            yield Error(file, int(found["line"]), found["code"] or "", found["text"])


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


def set_up(package: str, folder: Path) -> tuple[Side, Side]:
    """The two sides, alike but for us."""
    pins = [f"{name}=={importlib.metadata.version(name)}" for name in PINNED]
    stock = Side("stock", folder / "stock", CONFIG)
    stock.install(package, *pins)
    same = folder / "constraints.txt"
    same.write_text("\n".join(stock.frozen()))
    ours = Side("ours", folder / "ours", WITH_PLUGIN)
    ours.install(package, *pins, str(ROOT), "--constraint", str(same))
    for side, expected in ((stock, False), (ours, True)):
        side.mark_typed(package)
        if any(side.folder.glob("venv/lib/*/site-packages/jax-stubs")) is not expected:
            sys.exit(f"jax-stubs must be on our side only; see {side.folder}")
    return stock, ours


def table(rows: Mapping[str, tuple[str, str]]) -> str:
    head = "|                          |    stock |     ours |\n|--------------------------|---------:|---------:|\n"
    return head + "".join(f"| {name:24} | {a:>8} | {b:>8} |\n" for name, (a, b) in rows.items())


def report(package: str, stock: Side, ours: Side) -> int:
    """Print the comparison; the number of errors that are new with us."""
    version = next(line for line in stock.frozen() if line.lower().startswith(f"{package.lower()}=="))
    versions = [
        f"Python {platform.python_version()}",
        *(f"{n} {importlib.metadata.version(n)}" for n in PINNED),
    ]
    new, gone = missing_from(ours.errors, stock.errors), missing_from(stock.errors, ours.errors)
    print(f"{version} under {', '.join(versions)}\n")
    ratio = ours.median / stock.median
    rows = {
        "errors": (str(len(stock.errors)), str(len(ours.errors))),
        "errors only on this side": (str(len(gone)), str(len(new))),
        f"seconds (median of {len(ours.seconds)})": (f"{stock.median:.1f}", f"{ours.median:.1f}"),
        "seconds, relative": ("1.00", f"{ratio:.2f}"),
    }
    print(table(rows))
    for title, errors in (("New with us", new), ("Gone with us", gone)):
        print(f"{title}: {len(errors)}")
        print("".join(f"  {error}\n" for error in errors))
    return len(new)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("package", nargs="?", default="equinox", help="a package with type annotations")
    parser.add_argument("--rounds", type=int, default=3, help="how often each side is timed")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="third-party-") as folder:
        stock, ours = set_up(arguments.package, Path(folder))
        for _ in range(arguments.rounds):  # in turns, so that a busy machine slows both
            stock.check(arguments.package)
            ours.check(arguments.package)
        return 1 if report(arguments.package, stock, ours) else 0


if __name__ == "__main__":
    sys.exit(main())
