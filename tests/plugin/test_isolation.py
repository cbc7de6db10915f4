"""Nothing of a checked project is executed: neither its modules nor files where Python looks for its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import mypy_cache
from jaxtyping_core.domain.values import Static
from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.evaluation.protocol import request

MARK = "import pathlib\npathlib.Path({marker!r}).touch()\n"
#: The child is started for the last line: what it evaluates is in no cache of answers.
PROGRAM = """\
import jax
import jax.numpy as jnp
import helper
reveal_type(jnp.sin(jnp.ones((3, 4))).sum(axis=1))
def mine(x: jax.Array) -> jax.Array:
    helper.run()
    return x
reveal_type(jax.vmap(mine)(jnp.ones(3)))
reveal_type(jax.jit(lambda x: mine(x))(jnp.ones(3)))
reveal_type(jax.tree.map(helper.run, jnp.ones(3)))
class Eager:
    helper.run()
x: "jnp.sin(helper.run())"
"""
#: Names that Python, mypy or JAX import, any of which the project may have for itself.
TAKEN = ("sitecustomize", "usercustomize", "helper", "conftest", "jaxtyping_core_stubs")
PACKAGES = ("jax", "numpy", "jaxlib", "scipy", "ml_dtypes")


def project(folder: Path, marker: Path, names: tuple[str, ...], packages: tuple[str, ...] = ()) -> None:
    """A project whose every file leaves a mark when it is executed."""
    mark = MARK.format(marker=str(marker))
    for name in names:
        (folder / f"{name}.py").write_text(
            f"{mark}\ndef run(*args: object) -> None:\n    {mark.splitlines()[1]}\n"
        )
    for package in packages:
        (folder / package).mkdir()
        (folder / package / "__init__.py").write_text(mark)
        (folder / package / "numpy.py").write_text(mark)
    (folder / "program.py").write_text(mark + PROGRAM)
    (folder / "own.pth").write_text(f"import pathlib; pathlib.Path({str(marker)!r}).touch()\n")
    (folder / "mypy.ini").write_text("[mypy]\nplugins = jaxtyping_core.mypy\n")


def check(folder: Path, program: str = "program.py") -> str:
    command = [sys.executable, "-P", "-m", "mypy", program]
    env = mypy_cache.with_answers_in(folder / "answers")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=env)
    assert "Traceback" not in done.stdout + done.stderr
    return done.stdout


@pytest.mark.one_python
def test_modules_of_the_project(tmp_path: Path) -> None:
    folder, marker = tmp_path / "project", tmp_path / "marker"
    folder.mkdir()
    project(folder, marker, TAKEN)
    mypy_cache.begin(folder / ".mypy_cache")
    said = check(folder)
    assert 'program.py:6: note: Revealed type is "jax._src.basearray.Array[' in said
    assert "tuple[Literal[3]]" in said
    assert not marker.exists()


def test_packages_named_like_those_of_jax(tmp_path: Path) -> None:
    """mypy then checks against the project's packages, and those leave nothing to evaluate; none is imported."""
    folder, marker = tmp_path / "project", tmp_path / "marker"
    folder.mkdir()
    project(folder, marker, TAKEN, PACKAGES)
    check(folder)
    assert not marker.exists()


def test_the_environment_of_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The child ignores PYTHONPATH and its kin, with which mypy itself may have been started."""
    marker = tmp_path / "marker"
    for name in ("numpy", "jax", "ml_dtypes", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text(MARK.format(marker=str(marker)))
    monkeypatch.chdir(tmp_path)
    for variable in ("PYTHONPATH", "PYTHONHOME", "PYTHONUSERBASE"):
        monkeypatch.setenv(variable, str(tmp_path))
    evaluator = Evaluator(sys.executable)
    answer = evaluator.ask(request("jax.numpy.sin", [Static(1.0)], {}, x64=False, promotion="standard"))
    evaluator.close()
    assert answer.result is not None, answer
    assert not marker.exists()


def test_the_plugin_imports_little() -> None:
    """mypy waits for it, for small programs as long as for all else."""
    script = (
        "import sys, jaxtyping_core_mypy.plugin\n"
        "print(sorted({'jax', 'numpy', 'email', 'importlib.metadata'} & set(sys.modules)))\n"
        "print([name for name in sys.modules if name.startswith(('jaxtyping_core.engine.', 'jaxtyping_core.recording.'))])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n[]\n"
