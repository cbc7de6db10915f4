"""``pytest --jaxtyping-verify``: a test for each function."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]
ENTRY_POINT = entry_points(group="pytest11", name="jaxtyping-core-verify")
#: Where the package was installed before it had the plugin, pytest does not find it by itself.
PLUGIN = ("-p", "no:xdist", *(() if ENTRY_POINT else ("-p", "jaxtyping_core.verifying.pytest_plugin")))
PROGRAM = """
import jax.numpy as jnp
from jaxtyping import Array, Float


def right(x: Float[Array, "n m"]) -> Float[Array, "m n"]:
    return x.T


def wrong(x: Float[Array, "n m"]) -> Float[Array, "n m"]:
    return x.T


def given(function, x: Float[Array, "n"]) -> Float[Array, "n"]:
    return function(x)
"""


def test_a_test_for_each_function(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(model_to_verify=PROGRAM)
    result = pytester.runpytest_subprocess(*PLUGIN, "--jaxtyping-verify=model_to_verify", "-rA")
    result.assert_outcomes(passed=1, failed=1, skipped=1)
    result.stdout.fnmatch_lines(
        ['*model_to_verify.py:9: error: "wrong" returns float32?2, 1? for x: float32?1, 2?;*']
    )
    result.stdout.fnmatch_lines(["SKIPPED*function: it has no annotation"])


@pytest.mark.one_python
def test_one_function_of_a_file(pytester: pytest.Pytester) -> None:
    file = pytester.makepyfile(other_to_verify=PROGRAM)
    result = pytester.runpytest_subprocess(*PLUGIN, f"--jaxtyping-verify={file}:right", "-v")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["other_to_verify.py::verify::right PASSED*"])


def test_what_cannot_be_imported_ends_the_run(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_subprocess(*PLUGIN, "--jaxtyping-verify=no_such_module")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: there is no module 'no_such_module'*"])


def test_it_imports_nothing_until_it_is_asked() -> None:
    script = (
        "import sys, pytest, jaxtyping_core.verifying.pytest_plugin\n"
        "print(sorted({'jax', 'numpy', 'typer', 'jaxtyping'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_it_is_an_entry_point() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    named = project["entry-points"]["pytest11"]["jaxtyping-core-verify"]
    assert named == "jaxtyping_core.verifying.pytest_plugin"
