"""The shipped example: it learns, it is clean, and its copy's ten mistakes are found, each on its line."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=EXAMPLES, capture_output=True, text=True, check=False)


def test_demo_finds_the_ten_mistakes_and_nothing_else() -> None:
    done = run("demo.py")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "10 of the 10 mistakes are reported on their lines." in done.stdout
    assert "could not" not in done.stdout + done.stderr  # a note of the plugin that it failed


@pytest.mark.one_python
def test_the_right_program_is_clean_when_mypy_is_strict(tmp_path: Path) -> None:
    done = run("-m", "jaxtyping_core", "check", "language_model.py", "--strict", "--cache-dir", str(tmp_path))
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout == "Success: no issues found in 1 source file\n"


def test_the_right_program_learns() -> None:
    done = run("language_model.py", "--steps", "100")
    assert done.returncode == 0, done.stderr
    losses = [float(loss) for loss in re.findall(r"loss (\d+\.\d+)", done.stdout)]
    entropy = re.search(r"unigram entropy (\d+\.\d+)", done.stdout)
    assert entropy is not None
    # A model that sees no context cannot do better than the entropy of single characters.
    assert losses[-1] < float(entropy[1]) < losses[0]
