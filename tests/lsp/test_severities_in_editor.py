"""The severities of findings in an editor, as the project's settings have them."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol.types import DiagnosticSeverity

from editor import Editor

pytestmark = pytest.mark.one_python

PROGRAM = """\
import jax.numpy as jnp

jnp.ones((3, 4)) + jnp.ones((3, 5))
jnp.ones((3, 4)) & 1
jnp.no_such_function(3)
jnp.ones(3) @ jnp.ones(4)
"""
RULES = '[tool.jaxtyping_core.rules]\narray-shape = "info"\narray-dtype = "warning"\n'


def test_severities(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(RULES)
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    editor = Editor(tmp_path)
    try:
        editor.open(program)
        told = editor.until(lambda: editor.diagnostics(program) or [], bool)
        assert [(each.range.start.line + 1, each.severity) for each in told] == [
            (3, DiagnosticSeverity.Information),
            (4, DiagnosticSeverity.Warning),
            (5, DiagnosticSeverity.Error),
            (6, DiagnosticSeverity.Information),
        ]
    finally:
        editor.close()


WIDENED = """\
import jax
import jax.numpy as jnp

total = jax.jit(jnp.sum)
x = jnp.ones(3, jnp.bfloat16) * jnp.ones(3)
total(jnp.ones(3))
total(jnp.ones(2))
"""


def test_information(tmp_path: Path) -> None:
    """Rules whose findings may be meant: the project says nothing of them, and the editor has them all the same."""
    program = tmp_path / "program.py"
    program.write_text(WIDENED)
    editor = Editor(tmp_path)
    try:
        editor.open(program)
        told = editor.until(lambda: editor.diagnostics(program) or [], bool)
        assert [(each.range.start.line + 1, each.severity, each.code) for each in told] == [
            (5, DiagnosticSeverity.Information, "widening"),
            (7, DiagnosticSeverity.Information, "recompile"),
        ]
        hover = editor.hover(program, 5, 31)
        assert "bfloat16[3] becomes float32[3]" in hover
    finally:
        editor.close()
