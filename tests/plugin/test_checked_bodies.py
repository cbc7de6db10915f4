"""Functions without annotations that nothing calls: they are evaluated where mypy checks their bodies, and only there."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from mypy.options import Options

from jaxtyping_core.settings import Settings
from jaxtyping_core_mypy import run_files
from jaxtyping_core_mypy.program_facts import ProgramFacts
from jaxtyping_core_mypy.spans import Span

PROGRAM = """\
import jax.numpy as jnp

def called(x):
    return x + jnp.ones(3)

def plain(n):
    return jnp.ones((2, 3))

def annotated(n: int) -> None:
    jnp.ones((2, 3))

def outer():
    def inner(n: int): return jnp.ones(2)

called(jnp.ones(3))
"""
OF_CALLED, OF_PLAIN, OF_ANNOTATED = Span(4, 11, 4, 26), Span(7, 11, 7, 27), Span(10, 4, 10, 20)


@pytest.mark.parametrize(("checks_all", "comment"), [(False, ""), (True, ""), (False, "# mypy: strict\n")])
def test_what_is_evaluated(tmp_path: Path, checks_all: bool, comment: str) -> None:
    file = tmp_path / "program.py"
    file.write_text(PROGRAM + comment)
    facts = ProgramFacts(Settings(), sys.executable, [file], False, checks_all).of(str(file))
    known = {span: facts.at(span, None) for span in (OF_CALLED, OF_PLAIN, OF_ANNOTATED)}
    assert [str(span) for span, value in known.items() if value is None] == (
        [] if checks_all or comment else [str(OF_PLAIN)]
    )


def test_options() -> None:
    options = Options()
    assert not run_files.checks_all(options)
    options.per_module_options["package.*"] = {"check_untyped_defs": True}
    assert run_files.checks_all(options)
    options = Options()
    options.check_untyped_defs = True
    assert run_files.checks_all(options)
