"""Runs the array API standard's own tests (data-apis/array-api-tests) for ``jax.numpy`` and for the layer.

Fetch them first, with what they need (they are no part of this project):

    git clone --recurse-submodules https://github.com/data-apis/array-api-tests
    pip install ndindex pytest-json-report
    python tests/layer/array_api_suite.py array-api-tests          # ten minutes for each of four runs
    python tests/layer/array_api_suite.py array-api-tests --only test_signatures.py

Prints how many tests fail for each of the two, with 64-bit types on and off, and those that fail for the layer alone. The
tests draw their arguments at random, so what fails for one of the two is tried again for both, with more of them. Exits
with status 1 if a test fails for the layer alone.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parents[2]
MODULES = ("jax.numpy", "jaxtyping_core.numpy")
#: How many examples are tried at first, and when what differs is tried again.
FEW, MANY = 20, 200
#: The seeds at which what differs is tried again: a difference is there at every one.
SEEDS = (1, 2, 3)


def failures(
    suite: Path, module: str, x64: bool, tests: Iterable[str], examples: int, seed: int = 0
) -> tuple[set[str], int]:
    """The tests that fail, by the names that pytest takes, and how many there are in all.

    Raises:
        SystemExit: pytest has not run; its words are the message.
    """
    environment = {
        **os.environ,
        "ARRAY_API_TESTS_MODULE": module,
        "JAX_ENABLE_X64": str(int(x64)),
        "PYTHONPATH": os.pathsep.join((str(ROOT), os.environ.get("PYTHONPATH", ""))),
    }
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        options = [
            "--max-examples",
            str(examples),
            "--disable-deadline",
            f"--hypothesis-seed={seed}",
            "--tb=no",
            "-q",
        ]
        command = [
            sys.executable,
            "-m",
            "pytest",
            *tests,
            *options,
            "-p",
            "no:cacheprovider",
            f"--junitxml={report}",
        ]
        done = subprocess.run(
            command, cwd=suite, env=environment, capture_output=True, text=True, check=False
        )
        if not report.exists():
            raise SystemExit(done.stdout + done.stderr)
        cases = list(ElementTree.parse(report).iter("testcase"))
    failed = {
        f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}"
        for case in cases
        if case.find("failure") is not None or case.find("error") is not None
    }
    return failed, len(cases)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "suite", type=Path, help="a checkout of data-apis/array-api-tests, with its submodule"
    )
    parser.add_argument("--only", action="append", default=[], help="one file of the suite")
    options = parser.parse_args()
    tests = [f"array_api_tests/{name}" for name in options.only] or ["array_api_tests"]
    alone = 0
    for x64 in (True, False):
        results = {module: failures(options.suite, module, x64, tests, FEW) for module in MODULES}
        for module, (failed, count) in results.items():
            print(f"64-bit types {'on' if x64 else 'off'}, {module}: {len(failed)} of {count} fail")
        again = sorted(results[MODULES[1]][0] - results[MODULES[0]][0])
        for seed in SEEDS if again else ():
            theirs, ours = (failures(options.suite, m, x64, again, MANY, seed)[0] for m in MODULES)
            again = sorted(ours - theirs)  # an empty list would be the whole suite to pytest
            if not again:
                break
        print("".join(f"  the layer alone: {name}\n" for name in again), end="", flush=True)
        alone += len(again)
    return int(bool(alone))


if __name__ == "__main__":
    sys.exit(main())
