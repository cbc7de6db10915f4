"""What the program computes in a recorded run stands in where the evaluation knows nothing, for display alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from jaxtyping_core.recording import DEFAULT, PROCESS

from .zoo import HEAD, evaluated, record, shown

#: Of what it computes, the evaluation knows nothing: functions in texts compute the one part, and call the program for the other.
COMPUTING = """

def loss(p, scale=2):
    "A parameter that a text passes."
    moved = p * 2
    power = jnp.asarray(moved) ** scale
    return float(jnp.sum(power))

made = {}
exec("made['f'] = lambda n: jnp.ones((n, 3))")
exec("made['call'] = lambda f: f(np.zeros(3))")
made["call"](loss)
x = made["f"](4)
for i in range(2):
    y = made["f"](i)
tree = {"w": made["f"](2)}
model = made
shaped = jnp.zeros(made["f"](5).shape[0])
twice = [each + 1 for each in made["f"](6)]
"""


def test_what_the_program_computes_is_shown_where_nothing_is_known(folder: Path) -> None:
    record(folder, COMPUTING)
    places = shown(evaluated(folder))
    assert places["power"] == "float32[3] observed"
    assert places["x"] == "float32[4, 3] observed"
    assert places["y"] == "float32[?, 3] observed"
    assert places["shaped"] == "float32[5] observed"
    assert not [note for note in evaluated(folder).notes if "record a run" in note]
    assert "tree" not in places


def test_a_run_with_64_bit_types_tells_no_dtype_without_them(folder: Path) -> None:
    text = "made = {}\nexec(\"made['f'] = lambda n: jnp.ones((n, 3))\")\nx = made['f'](4)\n"
    record(folder, "import jax\njax.config.update('jax_enable_x64', True)\n" + text)
    assert shown(evaluated(folder))["x"] == "float64[4, 3] observed"
    assert shown(evaluated(folder, text))["x"] == "?[4, 3] observed"


def test_no_error_follows_from_what_the_program_computes(folder: Path) -> None:
    text = COMPUTING + "jnp.zeros((2, 2)) @ x\njnp.dot(jnp.zeros((2, 2), jnp.int32), made['f'](7))\n"
    record(folder, text + "# the run is over by an error\n", fails=True)
    assert not evaluated(folder).refusals


def test_what_is_known_is_derived(folder: Path) -> None:
    """Another call may differ: where the evaluation knows a value, the run counts for nothing."""
    text = "def f(x):\n    y = x + 1\n    return y\nz = f(jnp.ones(3))\n"
    record(folder, text)
    changed = evaluated(folder, text.replace("ones(3)", "ones(4)"))
    assert {name: told for name, told in shown(changed).items() if name in ("y", "z")} == {
        "y": "float32[4]",
        "z": "float32[4]",
    }


def test_many_values_of_a_place_are_joined(folder: Path) -> None:
    text = "made = {}\nexec('made[0] = lambda n: jnp.ones(n)')\nfor n in (1, 1, 1, 1, 1, 1, 2):\n    x = made[0](n)\n"
    record(folder, text)
    assert shown(evaluated(folder))["x"] == "float32[?] observed"


def test_sizes_that_change_late_are_met(folder: Path) -> None:
    text = (
        "made = {}\nexec(\"made['f'] = lambda n: (jnp.ones((n, 3)), 1)\")\n"
        "for i in range(20):\n    a, b = made['f'](2 if i < 7 else 5)\n"
    )
    record(folder, text)
    assert shown(evaluated(folder))["a"] == "float32[?, 3] observed"


def test_a_script_without_functions_says_what_was_recorded(folder: Path) -> None:
    (folder / "train.py").write_text(HEAD + "x = jnp.ones(3)\ny = x.sum()\n")
    ended = subprocess.run(
        [sys.executable, PROCESS, "--out", str(DEFAULT), "--", "train.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "recorded what was computed at 2 places" in ended.stderr


def test_arrays_of_other_objects_are_unknown(folder: Path) -> None:
    text = "x = zoo.load('x')\nmade = {}\nexec('made[0] = lambda: np.array([None, 1], dtype=object)')\nnames = made[0]()\n"
    record(folder, text)
    assert shown(evaluated(folder)) == {"x": "float32[64, 28, 28] observed"}
