"""``jaxtyping-core check``: what JAX refuses inside functions, with mypy beside it and without."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from check_command import Check, assert_refused, write
from jaxtyping_core.checking import engine_errors
from jaxtyping_core.checking.evaluating import Limits

pytestmark = pytest.mark.one_python  # long, and no matter of Python or JAX

PROGRAM = """\
import jax.numpy as jnp

def predict(w, x):
    h = x @ w
    return jnp.dot(h, jnp.ones((5, 6)))

def quiet(w, x):
    return x @ w  # type: ignore

def silent(w, x):
    return x @ w  # type: ignore[array-shape]

def main():
    x = jnp.ones((8, 784))
    predict(jnp.ones((784, 4)), x)
    predict(jnp.ones((784, 3)), x)
    quiet(jnp.ones((3, 4)), x)
    silent(jnp.ones((3, 4)), x)

main()
"""
TEXT = r"""program\.py:5: error: dot requires contracting dimensions .*  \[array-shape\]
program\.py:4: note: h: float32\[8, 4\] is assigned here
program\.py:5: note: called from main\(\) at program\.py:15 with w: float32\[784, 4\], x: float32\[8, 784\]
program\.py:5: note: called from program\.py:20
Found 1 error in 1 file \(checked 1 source file\)
"""


def test_errors_inside_unannotated_functions_are_reported(
    check: Check, check_with_mypy: Check, tmp_path: Path
) -> None:
    write(tmp_path, program=PROGRAM)
    for done in (
        check(tmp_path, "program.py"),
        check_with_mypy(tmp_path, "--warn-unused-ignores", "program.py"),
    ):
        assert re.fullmatch(TEXT, done.stdout), done.stdout
        assert (done.stderr, done.returncode) == ("", 1)


CALLED = """\
import jax.numpy as jnp
from jaxtyping_core.typing import Float32

def predict(w, x):
    return x @ w

def check(x: Float32) -> None:
    predict(jnp.ones((3, 5)), jnp.ones((2, 4)))

predict(jnp.ones((3, 4)), jnp.ones((2, 4)))
"""


def test_errors_are_reported_once(check_with_mypy: Check, tmp_path: Path) -> None:
    """In the body, or at a call in a function that nothing calls, to which only mypy comes."""
    of_calls = {CALLED: [("8", "JAX")], CALLED + "check(jnp.ones(3))\n": []}
    for program, others in of_calls.items():
        write(tmp_path, called=program)
        done = check_with_mypy(tmp_path, "called.py")
        reported = re.findall(r"^called\.py:(\d+): error: (.*?) ", done.stdout, re.MULTILINE)
        assert sorted(reported) == [("5", "@"), *others], done.stdout
    assert "called.py:5: note: called from called.py:10 with" in done.stdout


OVER_LINES = """\
import dataclasses
import jax.numpy as jnp
from jaxtyping import Array, Float

@dataclasses.dataclass
class Gaussian:
    mean: Float[Array, "d"]
    cov: Float[Array, "d d"]

def log_density(x: Float[Array, "n"], mean: Float[Array, "n"]) -> Float[Array, ""]:
    return jnp.sum(x - mean)

Gaussian(
    jnp.zeros(3),
    cov=jnp.eye(3)[0],
)
log_density(
    jnp.zeros(3),
    jnp.zeros((3, 1)),
)
Gaussian(
    jnp.zeros(3),
    jnp.eye(4),
)
"""


def test_errors_of_calls_over_several_lines_are_reported_once(check_with_mypy: Check, tmp_path: Path) -> None:
    """By mypy at the argument, which the evaluation of the program refuses at the call."""
    write(tmp_path, calls=OVER_LINES)
    done = check_with_mypy(tmp_path, "calls.py")
    reported = re.findall(r"^calls\.py:(\d+): error: (\w+)", done.stdout, re.MULTILINE)
    assert reported == [("15", "Argument"), ("19", "Argument"), ("21", "Field")], done.stdout


METHODS = """\
import jax.numpy as jnp

def fits(w):
    return w.reshape(-1, 4).max(axis=1), w.sum().item(), w.tolist()

def squeezed(w):
    return w.reshape(3, 5)

def largest(w):
    return w.max(axis=2)

w = jnp.ones((8, 2))
fits(w)
squeezed(w)
largest(w)
"""


def test_errors_of_methods_of_arrays_are_reported(check: Check, tmp_path: Path) -> None:
    write(tmp_path, program=METHODS)
    done = check(tmp_path, "program.py")
    assert re.findall(r"^program\.py:(\d+): error: (\w+)", done.stdout, re.MULTILINE) == [
        ("7", "cannot"),
        ("10", "axis"),
    ], done.stdout


LOOPS = """\
import jax
import jax.numpy as jnp

def step(w, x):
    return w, x @ jnp.ones((5, 6))

def repeat(i, w):
    return w + jnp.sum(w @ jnp.ones((5, 6)))

w, losses = jax.lax.scan(step, jnp.ones((8, 2)), jnp.ones((10, 3)))
w = jax.lax.fori_loop(0, 3, repeat, w)
w = jax.lax.while_loop(lambda w: w.sum() < 0, lambda w: repeat(0, w), w)
w @ w
"""


def test_what_a_loop_carries_is_known_after_a_mistake_in_its_body(check: Check, tmp_path: Path) -> None:
    write(tmp_path, program=LOOPS)
    done = check(tmp_path, "program.py")
    assert re.findall(r"^program\.py:(\d+): error", done.stdout, re.MULTILINE) == ["5", "8", "13"], (
        done.stdout
    )


def test_every_format_has_them(check: Check, tmp_path: Path) -> None:
    write(tmp_path, program=PROGRAM)
    record = json.loads(check(tmp_path, "--output-format", "json", "program.py").stdout)
    assert (record["line"], record["column"], record["code"]) == (5, 12, "array-shape")
    assert re.match(
        r"h: float32\[8, 4\], assigned at .*program.py:4\ncalled from main\(\) at program.py:15 .*\ncalled from program.py:20",
        record["hint"],
    )


def test_mypys_options_switch_a_code_off_for_a_module(tmp_path: Path) -> None:
    """mypy looks for the code when it comes to the module, so it must know ours by then: in a process that has not read them yet."""
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "mypy.ini").write_text("[mypy]\n[mypy-program]\ndisable_error_code = array-shape\n")
    code = (
        "from pathlib import Path; from jaxtyping_core.checking.engine_errors import asked;"
        "print(asked(['program.py'], Path('mypy.ini')).options.clone_for_module('program').disable_error_code)"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("['array-shape']\n", "")


@pytest.mark.parametrize("setting", ["programs", "evaluate"])
def test_the_settings_switch_them_off(
    check: Check, check_with_mypy: Check, tmp_path: Path, setting: str
) -> None:
    write(tmp_path, program=PROGRAM)
    (tmp_path / "pyproject.toml").write_text(f"[tool.jaxtyping_core]\n{setting} = false\n")
    done = check_with_mypy(tmp_path, "program.py", cache=setting)  # as mypy reads the stubs again
    assert done.stdout.startswith("Success: "), done.stdout
    assert done.returncode == 0
    assert_refused(check(tmp_path, "program.py"), f"the setting `{setting} = false`", "add --mypy")


@pytest.mark.parametrize(
    ("cache", "remedy"),
    [("cache", "run the check again"), (os.devnull, "check fewer files at a time")],
)
def test_what_there_is_no_time_for_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: str, remedy: str
) -> None:
    write(tmp_path, program=PROGRAM)
    config = tmp_path / "mypy.ini"
    config.write_text(f"[mypy]\ncache_dir = {cache}\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(engine_errors, "LIMITS", Limits(1.0, -1.0))
    notes = engine_errors.refused(["program.py"], engine_errors.asked(["program.py"], config), None).notes
    assert notes == [
        "program.py was not evaluated: the time limit of 0 s was reached",
        f"to evaluate the rest, {remedy}",
    ]


KEYWORDS = """\
import flax.linen as nn
import jax
import jax.numpy as jnp

class Head(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(3)(x)

head = Head()
variables = head.init(jax.random.key(0), jnp.ones((1, 6)))
scores = head.apply(variables, jnp.ones((2, 7)))
print(scores.shape, scores.mean())

def scaled(x, by):
    return x * by

def run():
    jax.jit(jax.vmap(scaled))(jnp.ones(3), jnp.ones(3), bias=jnp.ones(3))
    jax.jit(scaled)(jnp.ones(3))  # type: ignore[call-arg]

run()
"""


def test_errors_of_libraries_and_of_calls(check_with_mypy: Check, tmp_path: Path) -> None:
    """A result that is refused is no error where it is used; a call without the right parameters has mypy's own code."""
    write(tmp_path, keywords=KEYWORDS)
    done = check_with_mypy(tmp_path, "--warn-unused-ignores", "keywords.py")
    reported = re.findall(r"^keywords\.py:(\d+): error: (.*?) .*\[([\w-]+)\]$", done.stdout, re.MULTILINE)
    assert sorted(reported) == [("19", "scaled()", "call-arg"), ("8", "For", "array-shape")], done.stdout
