"""What evaluation may cost: a child that hangs, eats memory or dies, and calls about enormous arrays."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness import Messages, run_mypy
from jaxtyping_core.evaluation.client import CHILD

pytestmark = pytest.mark.one_python

CHILD_THAT = """
import os, runpy, time
import jax.numpy as jnp
{patch}
runpy.run_path({child!r}, run_name="__main__")
"""
#: mypy, whose plugin starts another child.
MYPY = """
from pathlib import Path
from mypy.__main__ import console_entry
from jaxtyping_core.evaluation import client
client.CHILD = Path({child!r})
console_entry()
"""
START = ("mypy_of_the_test.py",)
PROGRAM = """\
import jax.numpy as jnp
reveal_type(jnp.sin(jnp.ones(3)))
reveal_type(jnp.sin(jnp.ones(4)))
reveal_type(jnp.cos(jnp.ones(3)))
"""


def check(program: str, folder: Path, patch: str, settings: str = "") -> Messages:
    """What mypy says of `program` with a child that has a fault."""
    (folder / "child.py").write_text(CHILD_THAT.format(child=str(CHILD), patch=patch))
    (folder / START[0]).write_text(MYPY.format(child=str(folder / "child.py")))
    (folder / ".git").mkdir()
    return run_mypy({"program": program}, folder, f"\n[jaxtyping_core]\n{settings}", start=START)


BROKEN = """
jnp.sin = lambda x: time.sleep(600)
jnp.tan = lambda x: bytearray(1 << 50)
jnp.sinh = lambda x: os._exit(3)
jnp.cosh = lambda x: os.kill(os.getpid(), 9)
"""


def test_one_note_and_a_less_precise_type(tmp_path: Path) -> None:
    names = ("sin", "cos", "tan", "exp", "sinh", "log", "cosh", "tanh")  # every second one works
    lines = [f"reveal_type(jnp.{name}(jnp.ones(3)))" for name in names]
    program = "\n".join(["import jax.numpy as jnp", *lines, ""])
    said = check(program, tmp_path, BROKEN, "time_limit = 1")["program"]
    notes = [text for texts in said.values() for text in texts if "Revealed" not in text]
    assert len(notes) == 1
    assert "evaluation took more than 1 s" in notes[0]
    for line, texts in enumerate((said[line] for line in range(2, 10)), 2):
        known = "float32, tuple[Literal[3]]" if line % 2 else "Any, Any"
        assert f'N: Revealed type is "Array[{known}]"' in texts


STARVED = """
if not os.path.exists("enough"):
    jnp.sin = lambda x: os._exit(3)
"""


def test_the_next_run_knows_what_was_lost(tmp_path: Path) -> None:
    """Neither our cache nor mypy's keeps what a run could not find out."""
    first = check(PROGRAM, tmp_path, STARVED)["program"]
    assert first[2][-1] == 'N: Revealed type is "Array[Any, Any]"'
    assert first[4] == ['N: Revealed type is "Array[float32, tuple[Literal[3]]]"']
    (tmp_path / "enough").touch()
    second = run_mypy({"program": PROGRAM}, tmp_path, start=START)["program"]
    assert second[2] == second[4] == ['N: Revealed type is "Array[float32, tuple[Literal[3]]]"']


def test_enormous_arrays(tmp_path: Path) -> None:
    letters = "abcdefghijklmnopqrstuvwxyzABCD"
    program = f"""\
import jax.numpy as jnp
reveal_type(jnp.zeros((10**12,)))
reveal_type(jnp.linspace(0, 1, 10**9))
reveal_type(jnp.triu_indices(300_000))
v = jnp.ones(3)
reveal_type(jnp.einsum("{",".join(letters)}->", {", ".join("v" * 30)}))
reveal_type(jnp.ones((1000, 1000, 1000))[jnp.ones((1000, 1000, 1000), bool)])
"""
    start = time.monotonic()
    said = run_mypy({"program": program}, tmp_path)["program"]
    assert time.monotonic() - start < 60
    assert said[2] == ['N: Revealed type is "Array[float32, tuple[Literal[1000000000000]]]"']
    assert said[3] == ['N: Revealed type is "Array[float32, tuple[Literal[1000000000]]]"']
    # JAX 0.10 makes an array of all pairs first: a note says that it does not fit.
    notes, said[4] = said[4][:-1], said[4][-1:]
    assert all("needs too much memory" in text for text in notes)
    assert [len(said[line]) for line in (4, 6, 7)] == [1, 1, 1]


def test_without_evaluation(tmp_path: Path) -> None:
    program = "import jax.numpy as jnp\nx = jnp.ones(3)\nreveal_type(x)\nreveal_type(x + 1)\n"
    (tmp_path / ".git").mkdir()
    said = run_mypy({"program": program}, tmp_path, "\n[jaxtyping_core]\nevaluate = false\n")["program"]
    assert not any(text.startswith("E") for texts in said.values() for text in texts)
    assert said[3] == ['N: Revealed type is "Array[Any, Any]"']


def test_an_interpreter_without_jax(tmp_path: Path) -> None:
    """As in an isolated environment of pre-commit: one note, and no error."""
    patch = "import sys; sys.modules['jax'] = None"
    said = check(PROGRAM, tmp_path, patch)["program"]
    notes = [text for texts in said.values() for text in texts if "Revealed" not in text]
    assert len(notes) == 1
    assert notes[0].startswith("N: jaxtyping_core could not evaluate this call with JAX")


def test_a_busy_child_ends_with_its_parent(tmp_path: Path) -> None:
    script = tmp_path / "child.py"
    patch = "jnp.sin = lambda x: time.sleep(600)"
    script.write_text(CHILD_THAT.format(child=str(CHILD), patch=patch))
    parent = (
        "import os, subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, sys.argv[1]], stdin=subprocess.PIPE, stdout=-3)\n"
        'child.stdin.write(b\'{"function": "jax.numpy.sin", "args": [["static", 1.0]], "kwargs": {}, '
        '"x64": false, "promotion": "standard"}\\n\')\n'
        "child.stdin.flush(); print(child.pid, flush=True); import time; time.sleep(4); os._exit(0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", parent, str(script)], capture_output=True, text=True, check=True
    )
    for _ in range(50):
        if not _runs(int(done.stdout)):
            break
        time.sleep(0.1)
    assert not _runs(int(done.stdout))


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"  # ended, though nobody has asked how
