"""What type checkers make of the stubs."""

from __future__ import annotations

import runpy
import shutil
from pathlib import Path

import pytest

from conftest import PROGRAMS, ROOT, Checker, error_lines, marked_lines

IDIOMS = PROGRAMS / "idioms.py"
ORDINARY = [IDIOMS, PROGRAMS / "training.py", PROGRAMS / "modules.py", PROGRAMS / "dtype_defaults.py"]
UNANNOTATED = PROGRAMS / "unannotated.py"
ASSIGNABLE = PROGRAMS / "assignable.py"
REFUSED = PROGRAMS / "refused.py"


def test_types(pyright: Checker) -> None:
    assert pyright(PROGRAMS / "known_types.py") == []


@pytest.mark.one_python
@pytest.mark.sweep("checkers")
@pytest.mark.parametrize("program", ORDINARY, ids=lambda path: path.stem)
def test_ordinary_code_has_no_errors(checker: Checker, program: Path) -> None:
    assert checker(program) == []


@pytest.mark.one_python
def test_ordinary_code_has_no_errors_in_strict_mode(mypy: Checker) -> None:
    assert mypy(IDIOMS, options=["--strict"]) == []


@pytest.mark.one_python
def test_unannotated_functions(mypy: Checker, pyright: Checker) -> None:
    assert mypy(UNANNOTATED) == []
    assert error_lines(pyright(UNANNOTATED)) == marked_lines(UNANNOTATED, "error in pyright")


@pytest.mark.one_python  # as what checkers say of it
@pytest.mark.parametrize("program", [*ORDINARY, UNANNOTATED], ids=lambda path: path.stem)
def test_ordinary_code_runs(program: Path) -> None:
    """The program is correct, so that an error of a checker would be a false one."""
    runpy.run_path(str(program), run_name="__main__")


@pytest.mark.one_python
@pytest.mark.parametrize("x64", [False, True])
def test_assignments(checker: Checker, x64: bool) -> None:
    errors = checker(ASSIGNABLE, switched_on=["JAX_ENABLE_X64"] if x64 else [])
    marks = ["error", "error without the plugin", f"error with {64 if x64 else 32} bits"]
    assert error_lines(errors) == sorted(line for mark in marks for line in marked_lines(ASSIGNABLE, mark))


@pytest.mark.one_python
def test_refused_operands(mypy: Checker, pyright: Checker) -> None:
    assert error_lines(pyright(REFUSED)) == marked_lines(REFUSED, "error")
    assert mypy(REFUSED) == []  # without its plugin it is told of no operands


@pytest.mark.one_python
def test_operands_are_shown_by_their_public_name(pyright: Checker, tmp_path: Path) -> None:
    """What JAX's functions take is wider than the public `ArrayLike`, and is called so where people read it."""
    program = tmp_path / "program.py"
    program.write_text("import jax.numpy as jnp\njnp.sin('one')\n")
    assert any('"x" of type "ArrayLike"' in line for line in pyright(program))


@pytest.mark.one_python
def test_shapes_are_covariant_with_the_plugin(mypy: Checker) -> None:
    errors = mypy(ASSIGNABLE, switched_on=["JAXTYPING_CORE_PLUGIN"])
    marks = ["error", "error with 32 bits"]
    assert error_lines(errors) == sorted(line for mark in marks for line in marked_lines(ASSIGNABLE, mark))


def test_no_errors_inside_the_stubs(mypy: Checker, tmp_path: Path) -> None:
    """For mypy. pyright reports the variance of protocols and overlaps of overloads that are meant as they are."""
    # Under a name without "-stubs": checkers skip what looks like an installed stub package.
    package = Path(shutil.copytree(ROOT / "stubs" / "jax-stubs", tmp_path / "copied"))
    for folder in (package, package / "_src", package / "_src" / "numpy"):
        (folder / "__init__.pyi").touch()
    assert mypy(*sorted(package.rglob("*.pyi"))) == []
