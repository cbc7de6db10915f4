"""Programs without annotations, from end to end: recorded, annotated, checked, run with other sizes, verified, with mistakes.

All of them take many minutes, and are looked at where ``ALL_PROGRAMS=1`` is set.
"""

from __future__ import annotations

import difflib
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from annotating.holding import contradictions, wrong_variables
from jaxtyping_core.recording.store import load

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from planted import plant_in, verdict_of, verified

pytestmark = pytest.mark.one_python

HERE = Path(__file__).parent
OTHER_SIZES = tomllib.loads((HERE / "other_sizes.toml").read_text())
IS_ALL = bool(os.environ.get("ALL_PROGRAMS"))
CHOSEN = sorted(OTHER_SIZES) if IS_ALL else ["kalman_scan"]
#: How many mistakes are put into a program at most.
MISTAKES = 99 if IS_ALL else 4
FACTS = ("--from", "facts.sqlite3")
#: Programs none of whose functions takes symbols for sizes.
NONE_PROVEN = {"char_rnn"}
#: Functions without parameters.
TAKE_NOTHING = {"initial_params"}
#: A changed line that assigns to a variable.
VARIABLE = re.compile(r"[-+] +\w+(: [^=]+)? = .*[^,]$")
PAGE = (HERE.parents[1] / "docs" / "explanation" / "annotated-programs.md").read_text()
#: The programs whose changes the page shows, in its order.
SHOWN = dict(
    zip(
        ("kalman_scan", "attention_layers", "image_filters"),
        [block.partition("```")[0].splitlines() for block in PAGE.split("```diff\n")[1:]],
        strict=True,
    )
)


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", "-m", "jaxtyping_core", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_every_program_has_other_sizes() -> None:
    assert OTHER_SIZES.keys() == {file.stem for file in (HERE / "programs").glob("*.py")}


@pytest.mark.parametrize("name", CHOSEN)
def test_annotations_of_one_run_hold_in_another(name: str, tmp_path: Path) -> None:
    file = tmp_path / f"{name}.py"
    source = (HERE / "programs" / f"{name}.py").read_text()
    file.write_text(source)
    recording = ("record", "--quiet", "--places", "--output")
    assert run(tmp_path, *recording, FACTS[1], file.name).returncode == 0
    annotate = ("annotate", "--refine", "--places", "--write")
    done = run(tmp_path, *annotate, *FACTS, file.name)
    assert done.returncode == 0, done.stderr
    annotated = file.read_text()
    assert annotated.count("->") > source.count("->") + 3
    if name in SHOWN:
        assert _changes(source, annotated) == [line for line in SHOWN[name] if _is_change(line)]
    sizes = map(str, OTHER_SIZES[name])
    done = run(tmp_path, *recording, "other.sqlite3", file.name, *sizes)
    assert done.returncode == 0, done.stderr
    seen = load(tmp_path / "other.sqlite3").files[file.resolve()]
    assert list(contradictions(annotated, seen.calls)) == []
    assert list(wrong_variables(annotated, seen.places)) == []
    done = run(tmp_path, *annotate, "--run", file.name)
    assert (done.returncode, file.read_text()) == (0, annotated), done.stderr
    _assert_mistakes_are_found(file, annotated)


def _changes(old: str, new: str) -> list[str]:
    """The lines that were taken away and written, as the page shows them, but for empty ones."""
    _, _, *lines = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=0)
    return [line for line in lines if _is_change(line)]


def _is_change(line: str) -> bool:
    """Whether a line is of a change, and of none of a variable's: the page is of annotations without `--places`."""
    return line[:1] in ("+", "-") and bool(line[1:].strip()) and not VARIABLE.match(line)


def _assert_mistakes_are_found(file: Path, annotated: str) -> None:
    """Of what is written nothing is contradicted; wrong results, each in another function, all are, with sizes."""
    said = verified(file.parent, file.stem, *FACTS)
    verdicts = {each["message"].split('"')[1]: verdict_of(each) for each in said}
    assert ("proven" in verdicts.values()) == (file.stem not in NONE_PROVEN)
    assert "contradicted" not in verdicts.values(), said
    mistaken, planted = annotated, list[str]()
    for name in [name for name, verdict in verdicts.items() if verdict in ("proven", "tested")]:
        mistake = plant_in(mistaken, name, len(planted))
        if mistake is not None and len(planted) < MISTAKES:
            mistaken = mistake[1]
            planted.append(name)
    assert len(planted) > 2 or IS_ALL
    file.write_text(mistaken)
    said = verified(file.parent, file.stem, *FACTS)
    errors = [each["message"] for each in said if each["severity"] == "error"]
    told = {message.split('"')[1] for message in errors if " for " in message}
    told |= {message.split('"')[1] for message in errors} & TAKE_NOTHING  # and so have no sizes to tell
    assert [name for name in planted if name not in told] == []


def test_the_page_of_diffs_is_of_these_programs() -> None:
    for name, diff in SHOWN.items():
        source = (HERE / "programs" / f"{name}.py").read_text().splitlines()
        old = [line[1:] for line in diff if not line.startswith("+")]
        assert [line for line in old if line not in source and line] == []
        assert sum(line.startswith(("+def ", "+    def ")) for line in diff) >= 10


def test_a_wrong_annotation_of_a_field_is_noticed(tmp_path: Path) -> None:
    text = (
        "import jax.numpy as jnp\nfrom typing import NamedTuple\nfrom jaxtyping_core.typing import Int32\n\n"
        "class P(NamedTuple):\n    x: Int32\n\ndef f(p):\n    return p\n\nf(P(jnp.ones(4)))\n"
    )
    (tmp_path / "program.py").write_text(text)
    assert run(tmp_path, "record", "--quiet", "--output", "facts.sqlite3", "program.py").returncode == 0
    calls = load(tmp_path / "facts.sqlite3").files[(tmp_path / "program.py").resolve()].calls
    assert len(list(contradictions(text, calls))) == 1


def test_a_wrong_annotation_is_noticed(tmp_path: Path) -> None:
    """What this test compares with can fail."""
    file = tmp_path / "program.py"
    text = (
        "import jax\nimport jax.numpy as jnp\nfrom jaxtyping_core.typing import Float32\n"
        "from typing import Literal\n\ndef f(x: Float32[Literal[3]]) -> Float32[Literal[3]]:\n    return x\n\n"
        "f(jnp.ones(4))\n"
    )
    file.write_text(text)
    assert run(tmp_path, "record", "--quiet", "--output", "facts.sqlite3", file.name).returncode == 0
    calls = load(tmp_path / "facts.sqlite3").files[file.resolve()].calls
    assert len(list(contradictions(text, calls))) == 1
