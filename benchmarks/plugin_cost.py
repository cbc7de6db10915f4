"""What mypy costs with the plugin, relative to mypy with stock JAX, on the same program.

Times are CPU seconds of mypy and of the evaluation child; memory is the peak of the mypy process. The two sides run
in turns, the least of the rounds counts, and mypy's cache has JAX in it already, so that a time is that of the program
alone. Without the evaluation cache every distinct call is evaluated, with it none is. Linux only.

    python benchmarks/plugin_cost.py
    python benchmarks/plugin_cost.py --stock stock/bin/python --lines 5000 20000
"""

from __future__ import annotations

import argparse
import atexit
import ctypes
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from sample_program import HEAD, for_stock, program

from editor import stock_python
from jaxtyping_core.evaluation.resident import OPTION, VARIABLE
from jaxtyping_core.user import ANSWERS, CACHE_VARIABLE

#: The ratios that should not be exceeded.
WARM, COLD, MEMORY = 1.5, 3.0, 1.1
PR_SET_CHILD_SUBREAPER = 36
#: Seconds from one look at the processes to the next.
STEP = 0.02


class Cost(NamedTuple):
    """What a run of mypy costs."""

    seconds: float
    mebibytes: float

    def __sub__(self, other: Cost) -> Cost:
        return Cost(self.seconds - other.seconds, self.mebibytes)


def run(folder: Path, python: Path, file: str, plugin: bool, options: str = "") -> Cost:
    """Check a file with the packages of `python`, under more `options` of mypy.

    mypy does not wait for its child, which this process therefore inherits.
    """
    config = options + ("plugins = jaxtyping_core.mypy\n" if plugin else "")
    (folder / "mypy.ini").write_text(f"[mypy]\n{config}")
    command = [sys.executable, "-m", "mypy", f"--python-executable={python}", file]
    # The plugin's bytecode is kept, as it is where it is installed.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment[CACHE_VARIABLE] = str((folder / "answers").absolute())
    return spent(subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL))


def inherit(resident: bool = False) -> None:
    """Become the parent of all processes whose parent ends, so that their time is known here.

    `resident` is whether there may be a process that has imported JAX, and stays. What that has taken before is not counted.
    """
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    os.environ[VARIABLE] = str(int(resident))
    if resident:
        folder = tempfile.TemporaryDirectory()
        os.environ["XDG_RUNTIME_DIR"] = folder.name  # that of another run is not this process's child
        atexit.register(_leave, folder)


def _leave(folder: tempfile.TemporaryDirectory[str]) -> None:
    """End what is resident."""
    folder.cleanup()
    for pid in _started():
        os.kill(pid, signal.SIGKILL)


def spent(process: subprocess.Popen[bytes]) -> Cost:
    """What a process takes until it and its children have ended, and what resident processes take meanwhile."""
    before = _seconds()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        sys.exit(f"{process.args!r} failed")
    while left := [pid for pid in _started() if not is_resident(pid)]:
        os.waitpid(left[0], 0)
    while any(
        _started(pid) for pid in _started()
    ):  # forks of a resident process are ended with the command's
        time.sleep(STEP)
    return Cost(_seconds() - before, usage.ru_maxrss / 1024)


def _seconds() -> float:
    """The processor time of all that has ended, and of what is resident."""
    times = os.times()
    return (
        times.children_user + times.children_system + sum(map(_of_process, filter(is_resident, _started())))
    )


def _started(process: int | str = "self") -> list[int]:
    """The children of a process that run."""
    return [
        int(pid)
        for task in Path(f"/proc/{process}/task").glob("*/children")
        for pid in task.read_text().split()
    ]


def is_resident(pid: int | str) -> bool:
    """Whether a process has imported JAX and stays; not if it has ended."""
    try:
        return f"\0{OPTION}" in Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return False


def _of_process(pid: int) -> float:
    """The processor time of a process and of its children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


class Side:
    """Stock JAX or ours: a folder whose mypy cache has JAX in it."""

    def __init__(self, folder: Path, python: Path, plugin: bool) -> None:
        self.folder, self.python, self.plugin = folder, python, plugin
        folder.mkdir()
        (folder / ".git").mkdir()
        (folder / "head.py").write_text(HEAD if plugin else for_stock(HEAD))
        self.cache = folder / ".mypy_cache"
        run(folder, python, "head.py", plugin)
        shutil.copytree(self.cache, folder / "kept")

    def cost(self, text: str, answers: Path | None = None) -> Cost:
        """The cost of a program that is not in mypy's cache; `answers` is the evaluation cache."""
        shutil.rmtree(self.cache)
        shutil.copytree(self.folder / "kept", self.cache)
        kept = self.folder / "answers"
        shutil.rmtree(kept, ignore_errors=True)
        if answers is not None and answers.exists():
            kept.mkdir()
            shutil.copy(answers, kept / answers.name)
        (self.folder / "text.py").write_text(text)
        cost = run(self.folder, self.python, "text.py", self.plugin)
        if answers is not None and not answers.exists():
            shutil.copy(kept / answers.name, answers)
        return cost

    def start(self) -> float:
        """The seconds of a run that checks nothing anew."""
        return run(self.folder, self.python, "head.py", self.plugin).seconds


def main() -> int:
    """Measure, and print a row for each length; return 1 if a ratio is above its target."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--stock", type=Path, help="an interpreter with JAX and without our stubs")
    parser.add_argument("--lines", nargs="+", type=int, default=[5000])
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    inherit()
    missed = False
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        stock = Side(folder / "stock", arguments.stock or stock_python(folder), plugin=False)
        ours = Side(folder / "ours", Path(sys.executable), plugin=True)
        print("| lines | stock, s | warm | cold | memory |\n| --- | --- | --- | --- | --- |")
        for lines in arguments.lines:
            missed |= _row(stock, ours, lines, arguments.rounds, folder)
    return int(missed)


def _row(stock: Side, ours: Side, lines: int, rounds: int, folder: Path) -> bool:
    """Print the row for a program of `lines` lines; return whether a target is missed."""
    text, plain, answers = program(lines), program(lines, stock=True), folder / ANSWERS
    base, cold, warm = [], [], []
    for _ in range(rounds):
        answers.unlink(missing_ok=True)
        cold.append(ours.cost(text, answers))
        base.append(stock.cost(plain))
        warm.append(ours.cost(text, answers))
    starts = {side: min(side.start() for _ in range(rounds)) for side in (stock, ours)}
    stock_seconds = min(base).seconds - starts[stock]
    ratios = [(min(costs).seconds - starts[ours]) / stock_seconds for costs in (warm, cold)]
    memory = min(c.mebibytes for c in warm) / min(c.mebibytes for c in base)
    print(f"| {lines} | {stock_seconds:.2f} | {ratios[0]:.2f} | {ratios[1]:.2f} | {memory:.2f} |", flush=True)
    return ratios[0] > WARM or ratios[1] > COLD or memory > MEMORY


if __name__ == "__main__":
    sys.exit(main())
