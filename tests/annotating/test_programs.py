"""Programs without annotations, from end to end: recorded, annotated, checked, run with other sizes.

All of them take many minutes, and are looked at where ``ALL_PROGRAMS=1`` is set.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from annotating.holding import contradictions
from jaxtyping_core.recording.store import load

pytestmark = pytest.mark.one_python

HERE = Path(__file__).parent
OTHER_SIZES = tomllib.loads((HERE / "other_sizes.toml").read_text())
IS_ALL = bool(os.environ.get("ALL_PROGRAMS"))
CHOSEN = sorted(OTHER_SIZES) if IS_ALL else ["kalman_scan"]


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "jaxtyping_core", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_every_program_has_other_sizes() -> None:
    assert OTHER_SIZES.keys() == {file.stem for file in (HERE / "programs").glob("*.py")}


@pytest.mark.parametrize("name", CHOSEN)
def test_annotations_of_one_run_hold_in_another(name: str, tmp_path: Path) -> None:
    file = tmp_path / f"{name}.py"
    source = (HERE / "programs" / f"{name}.py").read_text()
    file.write_text(source)
    done = run(tmp_path, "annotate", "--refine", "--write", "--run", file.name)
    assert done.returncode == 0, done.stderr
    annotated = file.read_text()
    assert annotated.count("->") > source.count("->") + 3
    sizes = map(str, OTHER_SIZES[name])
    done = run(tmp_path, "record", "--quiet", "--out", "other.sqlite3", file.name, *sizes)
    assert done.returncode == 0, done.stderr
    calls = load(tmp_path / "other.sqlite3").files[file.resolve()].calls
    assert list(contradictions(annotated, calls)) == []
    if IS_ALL:
        verified = run(tmp_path, "verify", name)
        assert verified.returncode == 0, verified.stdout
        assert " proven" in verified.stdout


def test_the_page_of_diffs_is_of_these_programs() -> None:
    page = (HERE.parents[1] / "docs" / "annotated_programs.md").read_text()
    diffs = [block.partition("```")[0] for block in page.split("```diff\n")[1:]]
    for name, diff in zip(("kalman_scan", "attention_layers", "image_filters"), diffs, strict=True):
        source = (HERE / "programs" / f"{name}.py").read_text().splitlines()
        old = [line[1:] for line in diff.splitlines() if not line.startswith("+")]
        assert [line for line in old if line not in source and line] == []
        assert diff.count("\n+def ") + diff.count("\n+    def ") >= 10


def test_a_wrong_annotation_of_a_field_is_noticed(tmp_path: Path) -> None:
    text = (
        "import jax.numpy as jnp\nfrom typing import NamedTuple\nfrom jaxtyping_core.typing import Int32\n\n"
        "class P(NamedTuple):\n    x: Int32\n\ndef f(p):\n    return p\n\nf(P(jnp.ones(4)))\n"
    )
    (tmp_path / "program.py").write_text(text)
    assert run(tmp_path, "record", "--quiet", "--out", "facts.sqlite3", "program.py").returncode == 0
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
    assert run(tmp_path, "record", "--quiet", "--out", "facts.sqlite3", file.name).returncode == 0
    calls = load(tmp_path / "facts.sqlite3").files[file.resolve()].calls
    assert len(list(contradictions(text, calls))) == 1
