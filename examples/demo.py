"""Runs `show` and `check` on two correct programs, and `check` on their copies with mistakes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
COMMAND = [sys.executable, "-m", "jaxtyping_core"]
EXPECTED = re.compile(r"# expect: ([\w-]+)")
REPORTED = re.compile(r":(\d+): error: .*\[([\w-]+)\]$", re.MULTILINE)
#: The width of the output if it does not go to a terminal.
WIDTH = "100"


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a user would, and print its output."""
    print(f"\n$ jaxtyping-core {' '.join(words)}", flush=True)
    done = subprocess.run(
        [*COMMAND, *words],
        cwd=HERE,
        env={"COLUMNS": WIDTH, **os.environ},
        capture_output=True,
        text=True,
        check=False,
    )
    print(done.stdout + done.stderr, end="", flush=True)
    return done


def all_known(name: str) -> bool:
    """Show a program; return whether the dtype and shape of each array are known."""
    done = run("show", name)
    known = re.search(
        r"^(\d+) places: dtype known at \1, rank at \1, shape at \1$", done.stdout, re.MULTILINE
    )
    return done.returncode == 0 and known is not None


def all_found(right: str, wrong: str) -> bool:
    """Check a program and its copy with mistakes; return whether exactly the mistakes are reported."""
    clean = run("check", right)
    reported = {(int(line), code) for line, code in REPORTED.findall(run("check", wrong).stdout)}
    lines = (HERE / wrong).read_text().splitlines()
    expected = {(i, m[1]) for i, line in enumerate(lines, 1) if (m := EXPECTED.search(line))}
    print(f"\nFound {len(expected & reported)} of {len(expected)} mistakes, each on its line.")
    for line, code in sorted(expected - reported):
        print(f"Missed: line {line} [{code}]: {lines[line - 1].strip()}")
    # With --strict, mypy may add errors on the line of a mistake, such as a result that is now Any.
    mistakes = {line for line, _ in expected}
    others = {(line, code) for line, code in reported if line not in mistakes}
    for line, code in sorted(others):
        print(f"False error: line {line} [{code}]: {lines[line - 1].strip()}")
    return clean.returncode == 0 and expected <= reported and not others


def main() -> int:
    print("1. A script without annotations: its dtypes and shapes, then its mistakes.")
    plain = [all_known("train.py"), all_found("train.py", "train_mistakes.py")]
    print("\n2. A program with annotations.")
    annotated = all_found("language_model.py", "language_model_mistakes.py")
    return 0 if all(plain) and annotated else 1


if __name__ == "__main__":
    sys.exit(main())
