"""What the rules cost: the processor seconds of an evaluation with all of them, relative to one with none.

Both run in turns, each in a process of its own that has imported JAX before; the least of the rounds counts.

    python benchmarks/rule_cost.py examples/*.py
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

from jaxtyping_core.engine import session
from jaxtyping_core.engine.rules import registry
from jaxtyping_core.programs.evaluate import SECONDS, request
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings

#: The option by which this file evaluates a program with rules, or without them, and prints the seconds.
ONE = "--one"


def evaluated(file: Path, has_rules: bool) -> float:
    """The processor seconds of an evaluation in this process."""
    if not has_rules:
        registry.RULES = ()
    settings = Settings()
    (program,) = collect([file], settings.trusted)
    asked = request(program, settings, SECONDS, "")["program"]
    session.prepare(asked)
    begin = time.process_time()
    session.evaluate(asked)
    return time.process_time() - begin


def measured(file: Path, rounds: int) -> tuple[float, float]:
    """The seconds with and without rules."""
    times: dict[str, list[float]] = {"with": [], "without": []}
    for _ in range(rounds):
        for way, each in times.items():
            command = [sys.executable, __file__, ONE, way, str(file)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            each.append(float(done.stdout))
    return min(times["with"]), min(times["without"])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(ONE, choices=["with", "without"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(evaluated(options.files[0], options.one == "with"))
        return
    print("| program | with rules, s | without, s | ratio |")
    sums = [0.0, 0.0]
    for file in options.files:
        costs = measured(file, options.rounds)
        sums = [total + cost for total, cost in zip(sums, costs, strict=True)]
        print(f"| {file.stem} | {costs[0]:.2f} | {costs[1]:.2f} | {costs[0] / costs[1]:.2f} |", flush=True)
    print(f"| sum | {sums[0]:.2f} | {sums[1]:.2f} | {sums[0] / sums[1]:.2f} |")


if __name__ == "__main__":
    main()
