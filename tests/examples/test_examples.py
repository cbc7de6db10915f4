"""The shipped examples: they learn, are clean and known, and their copies' mistakes are found, each on its line."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
import traceback
from pathlib import Path

import pytest
from truth.claims import shown
from truth.programs import Program, facts
from truth.verdicts import Answer, judged

import mypy_cache

EXPECT = "  # expect"


def code(line: str) -> str:
    """A line without the comment that says which error is expected."""
    return line.partition(EXPECT)[0]


EXAMPLES = Path(__file__).parents[2] / "examples"
TRAIN, WRONG = ((EXAMPLES / name).read_text().splitlines() for name in ("train.py", "train_mistakes.py"))
#: The lines of the training script that its copy has otherwise, but for the first, which says what the file is.
CHANGED = [i for i, (line, wrong) in enumerate(zip(TRAIN, WRONG, strict=True)) if line != code(wrong) and i]


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command, env = [sys.executable, *arguments], {**os.environ, **variables}
    return subprocess.run(command, cwd=EXAMPLES, capture_output=True, text=True, check=False, env=env)


@pytest.mark.one_python
def test_demo_finds_the_mistakes_and_nothing_else(tmp_path: Path) -> None:
    done = run("demo.py", MYPY_CACHE_DIR=str(mypy_cache.begin(tmp_path / "cache")))
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^(\d+) places: dtype known at \1, rank at \1, shape at \1$", done.stdout, re.MULTILINE)
    assert "Found 7 of 7 mistakes, each on its line." in done.stdout
    assert "Found 10 of 10 mistakes, each on its line." in done.stdout
    assert "could not" not in done.stdout + done.stderr  # a note of the plugin that it failed


@pytest.mark.one_python
def test_the_right_program_is_clean_when_mypy_is_strict(tmp_path: Path) -> None:
    cache = str(mypy_cache.begin(tmp_path / "cache", "--strict"))
    done = run(
        "-m", "jaxtyping_core", "check", "language_model.py", "--mypy", "--strict", "--cache-dir", cache
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout == "Success: no issues found in 1 source file\n"


@pytest.mark.one_python
def test_the_right_program_learns() -> None:
    done = run("language_model.py", "--steps", "50")
    assert done.returncode == 0, done.stderr
    losses = [float(loss) for loss in re.findall(r"loss (\d+\.\d+)", done.stdout)]
    entropy = re.search(r"unigram entropy (\d+\.\d+)", done.stdout)
    assert entropy is not None
    # A model that sees no context cannot do better than the entropy of single characters.
    assert losses[-1] < float(entropy[1]) < losses[0]


def test_the_training_script_learns() -> None:
    done = run("train.py")
    assert done.returncode == 0, done.stderr
    losses = [float(loss) for loss in re.findall(r"loss (\d+\.\d+)", done.stdout)]
    before, after = (int(part) for part in re.findall(r"if blurred (\d+)%", done.stdout))
    assert losses[-1] < losses[0] / 4
    assert before < 30 and after > 70  # there are ten classes


def test_all_is_known_of_the_training_script_and_true() -> None:
    """Of what its places held when it ran."""
    main = EXAMPLES / "train.py"
    truth = facts(Program("train", main, EXAMPLES), sys.executable, 120)
    assert truth.failure is None
    said = shown([sys.executable, "-P", "-m", "jaxtyping_core", "show"], [main], EXAMPLES, 120)
    assert (said.failure, said.refusals) == (None, ())
    judgement = judged(truth, said.claims)
    assert not judgement.no_arrays
    assert len(judgement.verdicts) > 40
    for verdict in judgement.verdicts:
        assert (verdict.dtype, verdict.rank, verdict.shape) == (Answer.KNOWN,) * 3, verdict
        assert not verdict.mistakes, verdict
        assert None not in (verdict.claim.shape or ()), verdict


def test_there_are_enough_mistakes_in_the_training_script() -> None:
    assert sum(EXPECT in line for line in WRONG) == len(CHANGED) == 7


@pytest.mark.one_python  # as the demo, which has them found
@pytest.mark.parametrize("changed", CHANGED, ids=lambda i: code(WRONG[i]).strip())
def test_each_mistake_alone_fails_in_jax_where_it_is_expected(changed: int, tmp_path: Path) -> None:
    program = tmp_path / "train.py"
    program.write_text("\n".join([*TRAIN[:changed], WRONG[changed], *TRAIN[changed + 1 :]]))
    with pytest.raises((TypeError, ValueError)) as raised:
        runpy.run_path(str(program), run_name="__main__")
    lines = [step.lineno for step in traceback.extract_tb(raised.tb) if step.filename == str(program)]
    assert EXPECT in WRONG[(lines[-1] or 0) - 1]
