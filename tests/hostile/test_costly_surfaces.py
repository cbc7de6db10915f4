"""Hostile programs that cost time or memory or end their child, each alone: every command ends in time, and has no effect.

With the gate off they do cost that. The commands then say what they have not looked at.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from attacks import COSTLY, Attack, Scene, attacks
from commands import COMMAND, Done, Folder, assert_quiet, hearing
from test_surfaces import CONFIGURATION

import mypy_cache

sys.path.insert(0, str(Path(__file__).parents[1] / "lsp"))
from editor import Editor

pytestmark = [pytest.mark.one_python, pytest.mark.sweep("wall")]  # the same under every Python, and long
HERE = Path(__file__).parent
#: mypy itself multiplies the constants of this one, for minutes, with our plugin or without it.
ENDLESS_FOR_MYPY = "costs/huge_power"
ATTACKS = [attack for attack in attacks() if attack.kind in (*COSTLY, "end")]
SHOWN = [attack for attack in ATTACKS if attack.id != ENDLESS_FOR_MYPY]
#: A few for the slower ones: one that loops, one that takes memory, one that leaves.
FEW = [
    attack
    for attack in ATTACKS
    if attack.id in ("costs/endless_getitem", "costs/doubled_list", "parent/stopped_itself")
]
#: Seconds of a clock for a command.
BOUND = 100.0
#: A program that leaves its process while a function is called, which each command has to evaluate.
LEAVING = """import os

import jax.numpy as jnp


def double(x):
    os._exit(3)
    return x * 2


y = double(jnp.ones((5, 7)))
"""
#: Runs the commands with another child.
WITH_CHILD = """
import sys
from pathlib import Path
from jaxtyping_core.evaluation import client
from jaxtyping_core.cli.app import app
client.CHILD = Path({child!r})
app()
"""
CHILD = """
import runpy, sys
sys.argv += ["no-gate", "no-hook"]
runpy.run_path({child!r}, run_name="__main__")
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    scene = Scene(tmp_path)
    (scene.work / "mypy.ini").write_text(CONFIGURATION)
    mypy_cache.begin(scene.work / ".mypy_cache")
    yield Folder(scene)
    scene.close()


def put(folder: Folder, attack: Attack) -> str:
    """Write a program; the name of its file."""
    name = f"{attack.name}.py"
    (folder.folder / name).write_text(folder.scene.set(attack.text))
    folder.look()
    return name


@pytest.mark.parametrize("attack", SHOWN, ids=lambda attack: attack.id)
def test_show(folder: Folder, attack: Attack) -> None:
    done = folder.run(str(COMMAND), "show", put(folder, attack), longest=BOUND)
    assert_quiet(folder, done, (0,))


@pytest.mark.parametrize("attack", FEW, ids=lambda attack: attack.id)
def test_check_and_mypy(folder: Folder, attack: Attack) -> None:
    name = put(folder, attack)
    for command in ((str(COMMAND), "check"), (sys.executable, "-P", "-m", "mypy", "--check-untyped-defs")):
        assert_quiet(folder, folder.run(*command, name, longest=BOUND), (0, 1))


def test_language_server(folder: Folder) -> None:
    files = [folder.folder / put(folder, attack) for attack in FEW]
    for file in files:
        file.write_text(f"{file.read_text()}\nimport jax.numpy as jnp\n\nlast_line = jnp.ones((5, 7))\n")
    folder.look()
    with hearing() as came:
        editor = Editor(folder.folder, **folder.scene.variables)
        said = ""
        for file in files:
            editor.open(file)
            hints = editor.until(
                lambda file=file: editor.hints(file), lambda hints: "float32[5, 7]" in str(hints), BOUND
            )
            said += str(hints) + str(editor.diagnostics(file))
        status = editor.close()
    assert came == []
    assert_quiet(folder, Done(said, status, 0), (0,))


@pytest.mark.parametrize("command", ["show", "check"])
def test_what_was_not_evaluated_is_said(folder: Folder, command: str, tmp_path: Path) -> None:
    """There is no gate: the program does end its child."""
    (tmp_path / "child.py").write_text(CHILD.format(child=str(HERE / "child" / "__main__.py")))
    script = tmp_path / "command.py"
    script.write_text(WITH_CHILD.format(child=str(tmp_path / "child.py")))
    (folder.folder / "leaving.py").write_text(LEAVING)
    folder.look()
    done = folder.run(sys.executable, "-P", str(script), command, "leaving.py", longest=BOUND)
    assert_quiet(folder, done, (0,) if command == "show" else (2,))
    assert "was not evaluated: the evaluation process ended" in " ".join(done.said.split())
    assert "Success" not in done.said
