"""The bodies of functions in mypy's cache: a caller's types follow an edit of a body, in whichever module it is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from harness import run_mypy

pytestmark = pytest.mark.one_python

UTIL = "import jax.numpy as jnp\ndef doubled(x):\n    return jnp.concatenate([x, x])\n"
HELPERS = (
    "import jax.numpy as jnp\nfrom util import doubled\ndef f(x):\n    return doubled(x) @ jnp.ones((4, 5))\n"
)
MODEL = "import jax.numpy as jnp\nimport helpers\nx = jnp.ones((3, 4))\nreveal_type(helpers.f(x))\ny = helpers.f(x)\n"
CALLER = "import model\nreveal_type(model.y)\n"
PROGRAM = {"util": UTIL, "helpers": HELPERS, "model": MODEL, "caller": CALLER}


def shapes(folder: Path, program: dict[str, str], edit: int, config: str = "") -> list[str]:
    """The types that `model` and `caller` reveal."""
    for name, text in program.items():
        file = folder / f"{name}.py"
        if not file.exists() or file.read_text() != text:
            file.write_text(text)
            os.utime(file, (1_700_000_000 + edit, 1_700_000_000 + edit))
    stamps = {name: (folder / f"{name}.py").stat() for name in program}
    messages = run_mypy(program, folder, config)
    for name, stamp in stamps.items():
        os.utime(folder / f"{name}.py", (stamp.st_atime, stamp.st_mtime))
    return [messages["model"][4][0], messages["caller"][2][0]]


def both(shape: str) -> list[str]:
    return [f'N: Revealed type is "Array[float32, tuple[{shape}]]"'] * 2


def test_callers_follow_bodies(tmp_path: Path) -> None:
    assert shapes(tmp_path, PROGRAM, 0) == both("Literal[6], Literal[5]")
    assert shapes(tmp_path, PROGRAM, 0) == both("Literal[6], Literal[5]")
    program = {**PROGRAM, "util": UTIL.replace("[x, x]", "[x, x, x]")}
    assert shapes(tmp_path, program, 1) == both("Literal[9], Literal[5]")
    program["helpers"] = HELPERS.replace("(4, 5)", "(4, 6)")
    assert shapes(tmp_path, program, 2) == both("Literal[9], Literal[6]")
    assert shapes(tmp_path, PROGRAM, 3) == both("Literal[6], Literal[5]")


def test_programs_can_be_switched_off(tmp_path: Path) -> None:
    said = shapes(tmp_path, PROGRAM, 0, "[jaxtyping_core]\nprograms = false\n")
    assert said == ['N: Revealed type is "Any"'] * 2
    assert shapes(tmp_path, PROGRAM, 0) == both("Literal[6], Literal[5]")
