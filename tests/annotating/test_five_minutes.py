"""What docs/five_minutes.md shows is what the commands say of the shipped example."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.one_python  # the figures and the line numbers are those of one JAX

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "five_minutes.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def shown(command: str) -> list[str]:
    """What the page shows below a command, each time."""
    return [block.split("\n", 1)[1] for block in blocks("console") if block.startswith(f"$ {command}\n")]


def run(folder: Path, command: str) -> str:
    arguments = command.removeprefix("jaxtyping-core ").split()
    done = subprocess.run(
        [sys.executable, "-P", "-m", "jaxtyping_core", *arguments],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return done.stdout + done.stderr


def test_the_page_is_what_happens(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    shutil.copy(ROOT / "examples" / "train.py", file)
    annotate = "jaxtyping-core annotate --write --run train.py"
    assert run(tmp_path, annotate).splitlines()[-1] == shown(annotate)[0].splitlines()[-1]

    text = file.read_text(encoding="utf-8")
    written = [line for block in blocks("python") for line in block.splitlines() if line not in ("", "...")]
    assert len(written) > 5
    assert [line for line in written if line not in text.splitlines()] == []

    check = "jaxtyping-core check train.py"
    clean, mistaken = shown(check)
    assert run(tmp_path, check) == clean
    verify = "jaxtyping-core verify train.py:blur train.py:make_data train.py:init"
    assert run(tmp_path, verify) == shown(verify)[0]

    old, new = (line[1:] for line in blocks("diff")[0].splitlines())
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")
    assert run(tmp_path, check) == mistaken
