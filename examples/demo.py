"""The main job of jaxtyping_core on two programs: one that is right, and its copy with ten mistakes."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
CHECK = [sys.executable, "-m", "jaxtyping_core", "check"]
EXPECTED = re.compile(r"# expect: ([\w-]+)")
REPORTED = re.compile(r":(\d+): error: .*\[([\w-]+)\]$", re.MULTILINE)


def check(name: str) -> subprocess.CompletedProcess[str]:
    """Check one program as a user would, and show what they would see."""
    print(f"\n$ jaxtyping-core check {name}", flush=True)
    done = subprocess.run([*CHECK, name], cwd=HERE, capture_output=True, text=True, check=False)
    print(done.stdout + done.stderr, end="", flush=True)
    return done


def main() -> int:
    right = check("language_model.py")
    wrong = check("language_model_mistakes.py")
    lines = (HERE / "language_model_mistakes.py").read_text().splitlines()
    expected = {(i, m[1]) for i, line in enumerate(lines, 1) if (m := EXPECTED.search(line))}
    reported = {(int(line), code) for line, code in REPORTED.findall(wrong.stdout)}
    print(f"\n{len(expected & reported)} of the {len(expected)} mistakes are reported on their lines.")
    for line, code in sorted(expected - reported):
        print(f"missed: line {line} [{code}]: {lines[line - 1].strip()}")
    # What mypy adds on such a line under --strict, say that it returns Any now, is a consequence.
    mistakes = {line for line, _ in expected}
    others = {(line, code) for line, code in reported if line not in mistakes}
    for line, code in sorted(others):
        print(f"not a mistake: line {line} [{code}]: {lines[line - 1].strip()}")
    return 0 if right.returncode == 0 and expected <= reported and not others else 1


if __name__ == "__main__":
    sys.exit(main())
