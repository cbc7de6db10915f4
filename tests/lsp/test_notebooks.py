"""Notebooks: the cells of one are one program, and what is known of it stands in its cells."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from editor import Editor

pytestmark = pytest.mark.one_python

CELLS = [
    "%matplotlib inline\nimport jax.numpy as jnp\nx = jnp.ones((8, 3))",
    "!nvidia-smi\ndef centered(x):\n    mean = x.mean(axis=1)\n    return x - mean",
    "%%time\ny = x @ x.T",
    "%%bash\nls -l $HOME",
    "centered(x)",
]


def test_cells_of_a_notebook_are_one_program(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    file = tmp_path / "my notebook.ipynb"
    file.write_text("{}")
    first, function, product, shell, call = cells = editor.open_notebook(file, CELLS)
    # A cell knows what earlier ones have defined, and positions are those of the cell.
    editor.until(lambda: editor.hints(product), lambda hints: hints == [(2, ": float32[8, 8]")])
    assert editor.hints(first) == [(3, ": float32[8, 3]")]
    assert editor.hints(function) == [(2, ": float32[8, 3]"), (3, ": float32[8]")]
    assert editor.hints(shell) == []
    assert "float32[8, 3]" in editor.hover(call, 1, 9)
    (wrong,) = editor.until(lambda: editor.diagnostics(function) or [], bool)
    assert (wrong.range.start.line, wrong.range.start.character) == (3, 11)
    assert "mean: float32[8], assigned at cell 2, line 3\ncalled from cell 5, line 1" in wrong.message
    made, step = wrong.related_information or ()
    assert (made.location.uri, made.location.range.start.line) == (function.as_uri(), 2)
    assert made.message == "mean: float32[8] is assigned here"
    assert (step.location.uri, step.location.range.start.line) == (call.as_uri(), 0)
    assert [len(editor.diagnostics(cell) or ()) for cell in (first, call)] == [0, 0]
    # Fixes and annotations are edits of cells.
    fixes = editor.until(lambda: editor.actions(function, 4), bool)
    edit = fixes["Keep the axis with keepdims=True"].edit
    assert edit is not None
    assert edit.changes is not None
    ((uri, [change]),) = edit.changes.items()
    assert (uri, change.range.start.line, change.new_text) == (function.as_uri(), 2, ", keepdims=True")
    # While a cell is no Python its hints stay, and another that is none hides nothing of the rest.
    editor.edit_cell(product, "%%time\ny = x @ (x.T")
    editor.rest(1)
    assert editor.hints(first) == [(3, ": float32[8, 3]")]
    editor.edit_cell(first, CELLS[0].replace("(8, 3)", "(7, 3)"))
    editor.until(lambda: editor.hints(first), lambda hints: hints == [(3, ": float32[7, 3]")])
    assert editor.hints(product) == []
    editor.edit_cell(product, CELLS[2])
    editor.until(lambda: editor.hints(product), lambda hints: hints == [(2, ": float32[7, 7]")])
    editor.remove_cell(cells[1], 1)
    editor.until(lambda: editor.diagnostics(function), lambda diagnostics: not diagnostics)
    editor.close()
