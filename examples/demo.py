"""The main jobs of jaxtyping_core, on two programs that are right and on their copies with mistakes."""

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
#: The columns of what is shown where the output is no terminal.
WIDTH = "100"


def run(command: str, name: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a user would, and show what they would see."""
    print(f"\n$ jaxtyping-core {command} {name}", flush=True)
    done = subprocess.run(
        [*COMMAND, command, name],
        cwd=HERE,
        env={"COLUMNS": WIDTH, **os.environ},
        capture_output=True,
        text=True,
        check=False,
    )
    print(done.stdout + done.stderr, end="", flush=True)
    return done


def all_known(name: str) -> bool:
    """Show a program; whether the dtype and shape of each of its arrays stand beside its lines."""
    done = run("show", name)
    known = re.search(
        r"^(\d+) places: dtype known at \1, rank at \1, shape at \1$", done.stdout, re.MULTILINE
    )
    return done.returncode == 0 and known is not None


def all_found(right: str, wrong: str) -> bool:
    """Check a program and its copy with mistakes; whether there are errors for these and for nothing else."""
    clean = run("check", right)
    reported = {(int(line), code) for line, code in REPORTED.findall(run("check", wrong).stdout)}
    lines = (HERE / wrong).read_text().splitlines()
    expected = {(i, m[1]) for i, line in enumerate(lines, 1) if (m := EXPECTED.search(line))}
    print(f"\n{len(expected & reported)} of the {len(expected)} mistakes are reported on their lines.")
    for line, code in sorted(expected - reported):
        print(f"missed: line {line} [{code}]: {lines[line - 1].strip()}")
    # What mypy adds on such a line under --strict, say that it returns Any now, is a consequence.
    mistakes = {line for line, _ in expected}
    others = {(line, code) for line, code in reported if line not in mistakes}
    for line, code in sorted(others):
        print(f"not a mistake: line {line} [{code}]: {lines[line - 1].strip()}")
    return clean.returncode == 0 and expected <= reported and not others


def main() -> int:
    print("1. A program without annotations: what is known of it, and what would fail.")
    plain = [all_known("train.py"), all_found("train.py", "train_mistakes.py")]
    print("\n2. A program whose functions are annotated.")
    annotated = all_found("language_model.py", "language_model_mistakes.py")
    return 0 if all(plain) and annotated else 1


if __name__ == "__main__":
    sys.exit(main())
