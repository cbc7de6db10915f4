"""Files with jaxtyping's annotations in the checkers that read the stubs alone: no error that stock JAX does not give."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import checkers
from annotated.test_annotated import CHOSEN, PROGRAMS

pytestmark = pytest.mark.one_python  # what the stubs say of these does not depend on Python

#: The error that is new, and why it stays.
EXCUSED = {
    # flax's `init` may return a FrozenDict, and the loss declares a dict: called without `jit`, stock JAX's checkers
    # refuse it as well. A jitted function keeps its parameters in our stubs, as everywhere.
    ("linen_convnet", 48),
}


@pytest.fixture(scope="module")
def stock(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Python with all packages of this one, but not with our stubs."""
    return str(checkers.stock(tmp_path_factory.mktemp("stock")))


@pytest.mark.parametrize("checker", checkers.CHECKERS)
def test_no_new_errors(checker: str, stock: str, tmp_path: Path) -> None:
    for name in CHOSEN:
        (tmp_path / f"{name}.py").write_text(PROGRAMS[name])
    files = sorted(tmp_path.glob("*.py"))
    ours, theirs = (
        {
            (error.file.stem, error.line)
            for error in checkers.run(checker, files, tmp_path, python=python).errors
        }
        for python in (sys.executable, stock)
    )
    assert ours - theirs - EXCUSED == set()
