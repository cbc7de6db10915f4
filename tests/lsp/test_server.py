"""The language server, asked by a real client: it says what `show` and `check` say of the same text."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types

sys.path.insert(0, str(Path(__file__).parent))
from editor import Editor, edited

pytestmark = pytest.mark.one_python

#: Functions without annotations, annotated ones, and names that are bound twice.
PROGRAM = """\
from typing import Literal, TypeVar

import jax
import jax.numpy as jnp
from jaxtyping_core.typing import Float32

B = TypeVar("B")
D = TypeVar("D")


def scaled(x: Float32[B, D], by: Float32[D]) -> Float32[B, D]:
    total = x * by
    return total / total.sum()


def predict(params, inputs):
    hidden = jnp.tanh(inputs @ params["w"])
    return hidden @ params["out"]


params = {"w": jnp.ones((3, 16)), "out": jnp.ones((16, 10))}
inputs = jnp.ones((8, 3))
outputs = predict(params, inputs)
best, text = outputs.max(1), "é"; worst = outputs.min(1)
known: Float32[Literal[8], Literal[10]] = outputs
"""
#: An edit, and a mistake in a function without annotations, and in an annotated one.
EDITED = PROGRAM.replace("(8, 3)", "(9, 3)").replace("[8]", "[9]").replace("import jax\n", "\nimport jax\n\n")
EDITED += "predict(params, jnp.ones((4, 3)))\nhalved = jax.vmap(lambda row: row / 2)(outputs)\n"
WRONG = PROGRAM.replace('params["out"]\n', 'params["w"]\n').replace("total.sum()", "by[:, :, None]")
#: A program of which a run is recorded.
OF_DATA = """\
import jax.numpy as jnp
import numpy as np

name = "data.npy"
np.save(name, np.ones((4, 2), np.float32))
data = np.load(name)
mean = jnp.mean(data, axis=0)
"""
NOT_PYTHON = "\n" + PROGRAM.replace("jnp.tanh(inputs", "jnp.tanh((inputs")
SCRIPT = """\
import jax.numpy as jnp
from layer import layer

if __name__ == "__main__":
    print(layer(jnp.ones((2, 3)), jnp.ones((3, 5))))
"""


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two folders with programs."""
    first, second = tmp_path_factory.mktemp("first"), tmp_path_factory.mktemp("second")
    (first / "program.py").write_text(PROGRAM)
    (second / "helpers.py").write_text(
        "import jax.numpy as jnp\n\n\ndef table(n):\n    return jnp.ones((n, 2))\n"
    )
    (second / "uses.py").write_text("from helpers import table\n\nsmall = table(3)\n")
    (second / "layer.py").write_text("def layer(x, w):\n    out = x @ w\n    return out\n")
    (second / "script.py").write_text(SCRIPT)
    return first, second


@pytest.fixture(scope="module")
def editor(folders: tuple[Path, Path]) -> Iterator[Editor]:
    """One session for all tests, which leave no file open."""
    editor = Editor(*folders)
    yield editor
    editor.close()


@pytest.fixture
def program(editor: Editor, folders: tuple[Path, Path]) -> Iterator[Path]:
    """The program, opened."""
    file = folders[0] / "program.py"
    editor.open(file)
    yield file
    editor.shut(file)


def run(command: str, file: Path, *options: str) -> list[dict]:
    """What a command says of a file: its objects, one a line."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "jaxtyping_core", command, *options, file.name],
        cwd=file.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode < 2, done.stderr
    return list(map(json.loads, done.stdout.splitlines()))


def shown(file: Path) -> list[tuple[int, str]]:
    """The hints that `show` would have of a file, which the editor would put at its assignments and returns."""
    (record,) = run("show", file, "--output-format", "json")
    hints = []
    for place in record["places"]:
        dims = ["?" if dim is None else str(dim) for dim in place["shape"]]
        value = f"{'weak ' * bool(place['weak'])}{place['dtype']}[{', '.join(dims)}]"
        hints.append((place["line"], f"-> {value}" if place["name"] == "return" else f": {value}"))
    return hints


def test_hints_after_an_edit_are_those_of_show(editor: Editor, program: Path) -> None:
    editor.edit(program, EDITED)
    file = program.with_name("fresh.py")
    file.write_text(EDITED)
    annotated = [EDITED.splitlines().index(line) + 1 for line in EDITED.splitlines() if "known:" in line]
    returned = next(i for i, line in enumerate(EDITED.splitlines(), 1) if "total / total" in line)
    # What an annotation says already is no hint.
    expected = [hint for hint in shown(file) if hint[0] not in (*annotated, returned)]
    # A parameter is no place of `show`; two calls with other sizes have the rank and the dtype in common.
    expected = sorted([*expected, (18, ": float32[?, 3]"), (29, ": float32[10]")], key=lambda hint: hint[0])
    assert (19, ": float32[?, 16]") in expected
    assert editor.until(lambda: editor.hints(program), lambda hints: hints == expected)
    editor.rest(1)
    assert editor.hints(program) == expected


def test_diagnostics_are_those_of_check(editor: Editor, program: Path) -> None:
    editor.edit(program, WRONG)
    file = program.with_name("fresh.py")
    file.write_text(WRONG)
    expected = [(d["line"], d["column"], d["code"]) for d in run("check", file, "--output-format", "json")]
    assert {code for *_, code in expected} == {"array-shape"}

    def said() -> list[tuple[int, int, object]]:
        diagnostics = editor.diagnostics(program) or ()
        return [(d.range.start.line + 1, d.range.start.character + 1, d.code) for d in diagnostics]

    assert editor.until(said, lambda places: places == expected)
    (inside,) = [d for d in editor.diagnostics(program) or () if d.range.start.line == 17]
    lines = WRONG.splitlines()
    assert lines[17][inside.range.start.character : inside.range.end.character] == 'hidden @ params["w"]'
    assert "called from program.py:23" in inside.message
    made, call = list(inside.related_information or [])
    assert made.message.startswith("hidden: float32[")
    assert (call.location.uri, call.location.range.start.line) == (program.as_uri(), 22)
    assert call.message.startswith("called here with ")
    assert "inputs: float32[8, 3]" in call.message
    assert inside.code_description is not None
    assert inside.code_description.href.endswith("codes/array-shape.md")
    assert "[array-shape](" in editor.hover(program, 18, 20)


def test_related_lines_are_those_of_the_call_that_is_told(editor: Editor, program: Path) -> None:
    editor.edit(
        program,
        "import jax.numpy as jnp\n\ndef f(x, w):\n    return x @ w\n\n"
        "f(jnp.ones((3, 4)), jnp.ones((5, 6)))\nf(jnp.ones((2, 7)), jnp.ones((8, 9)))\n",
    )
    (told,) = editor.until(
        lambda: editor.diagnostics(program) or [], bool
    )  # of several in a line, the first one
    assert "float32[3, 4]" in told.message
    calls = [each.location.range.start.line for each in told.related_information or ()]
    assert 5 in calls
    assert 6 not in calls


def test_columns_after_characters_of_several_bytes(editor: Editor, program: Path) -> None:
    editor.edit(
        program,
        'import jax.numpy as jnp\nt = "éé😋"; y = jnp.ones(3) + jnp.ones(4)\n'
        'def f(a):\n    s = "é😋"; return a + jnp.ones(5)\nf(jnp.ones(3))\n',
    )

    def said() -> list[tuple[int, int, int]]:
        ranges = [diagnostic.range for diagnostic in editor.diagnostics(program) or ()]
        return [(at.start.line, at.start.character, at.end.character) for at in ranges]

    # In units of UTF-16, in which the smiley has two.
    assert editor.until(said, lambda places: len(places) == 2) == [(1, 16, 41), (3, 22, 37)]


def test_hover_says_what_a_name_and_an_expression_are(editor: Editor, program: Path) -> None:
    editor.until(lambda: editor.hover(program, 18, 12), lambda text: "float32[8, 16]" in text)
    assert "hidden: float32[8, 16]" in editor.hover(program, 18, 12)  # where it is used
    assert "`Float32[Literal[8], Literal[16]]`" in editor.hover(program, 17, 5)
    assert "float32[B, D]" in editor.hover(program, 12, 15)
    assert "`B`: axis 0 of `x`, `D`: axis 1 of `x`" in editor.hover(program, 12, 6)
    assert "_autosummary/jax.numpy.tanh.html" in editor.hover(program, 17, 18)
    assert editor.hover(program, 1, 2) == ""
    # Over what is passed to a call, nothing that is true of the call.
    assert "float32[8, 3]" in editor.hover(program, 22, 14)
    assert editor.hover(program, 22, 19) == ""
    # Parts of expressions, also where a parameter is declared.
    assert "float32[]" in editor.hover(program, 13, 25)
    assert "float32[3, 16]" in editor.hover(program, 17, 38)
    # What a call gives that only the evaluation knows, or knows better.
    assert "float32[8, 10]" in editor.hover(program, 23, 12)
    assert "float32[8, 10]" in editor.hover(program, 18, 18)
    assert editor.hover(program, 25, 3) == ""  # the annotation says it


def test_annotation_is_inserted_where_its_names_are_there(editor: Editor, program: Path) -> None:
    editor.until(lambda: editor.hints(program), lambda hints: (22, ": float32[8, 3]") in hints)
    (action,) = editor.actions(program, 12).values()
    assert action.edit is not None
    assert action.edit.changes is not None
    (edit,) = action.edit.changes[program.as_uri()]
    assert (edit.new_text, edit.range.start.line, edit.range.start.character) == (": Float32[B, D]", 11, 9)
    hint = next(hint for hint in editor.inlay_hints(program) if hint.position.line == 21)
    assert hint.text_edits is not None
    assert hint.text_edits[0].new_text == ": Float32[Literal[8], Literal[3]]"
    assert [*editor.actions(program, 24)] == ["Annotate worst: Float32[Literal[8]]"]
    # What comes after "é" stands where the editor counts it.
    at = [hint.position.character for hint in editor.inlay_hints(program) if hint.position.line == 23]
    assert at == [4, 39]


def test_function_is_annotated_from_its_calls(editor: Editor, program: Path) -> None:
    editor.until(lambda: editor.hints(program), lambda hints: (16, ": float32[8, 3]") in hints)
    (action,) = [each for title, each in editor.actions(program, 16).items() if "predict" in title]
    assert (action.title, action.edit) == ("Annotate predict from its calls", None)
    chosen = editor.until(lambda: editor.resolved(action), lambda offer: offer.edit is not None)
    head = next(line for line in edited(PROGRAM, chosen, program) if "def predict" in line)
    assert re.search(r"inputs: Float32.*\) -> Float32", head), head


def test_text_that_is_no_python_leaves_what_was_known(editor: Editor, program: Path) -> None:
    before = editor.until(lambda: editor.hints(program), lambda hints: (17, ": float32[8, 16]") in hints)
    editor.edit(program, NOT_PYTHON)
    moved = [(line + 1, label) for line, label in before if line != 17]
    assert editor.until(lambda: editor.hints(program), lambda hints: hints == moved)
    (told,) = editor.until(lambda: editor.diagnostics(program) or [], bool)
    assert (told.code, told.message, told.range.start) == (
        *("syntax", "'(' was never closed"),
        types.Position(17, 21),
    )
    editor.edit(program, PROGRAM)
    assert editor.until(lambda: editor.diagnostics(program), lambda diagnostics: not diagnostics) == ()
    assert editor.until(lambda: editor.hints(program), lambda hints: hints == before)


def test_program_of_two_files_of_which_one_is_not_saved(editor: Editor, folders: tuple[Path, Path]) -> None:
    helpers, uses = folders[1] / "helpers.py", folders[1] / "uses.py"
    editor.open(uses)
    editor.until(lambda: editor.hints(uses), lambda hints: hints == [(3, ": float32[3, 2]")])
    editor.open(helpers, helpers.read_text().replace("(n, 2)", "(n, 7)"))
    editor.until(lambda: editor.hints(uses), lambda hints: hints == [(3, ": float32[3, 7]")])
    editor.edit(helpers, helpers.read_text().replace("(n, 2)", "(n, 8)"))
    editor.until(lambda: editor.hints(uses), lambda hints: hints == [(3, ": float32[3, 8]")])
    editor.shut(helpers)
    editor.shut(uses)


def test_hints_have_what_a_recorded_run_got(editor: Editor, folders: tuple[Path, Path]) -> None:
    file = folders[1] / "data.py"
    file.write_text(OF_DATA)
    command = [sys.executable, "-m", "jaxtyping_core", "record", "--quiet", file.name]
    subprocess.run(command, cwd=file.parent, check=True)
    editor.open(file)
    read, used = (6, ": float32[4, 2] observed"), (7, ": float32[2] observed")
    assert editor.until(lambda: editor.hints(file), lambda hints: hints == [read, used])
    moved = OF_DATA.replace("import jax", "import os\nimport jax", 1)
    editor.edit(file, moved)
    expected = [(line + 1, text) for line, text in (read, used)]
    assert editor.until(lambda: editor.hints(file), lambda hints: hints == expected)
    editor.edit(file, OF_DATA.replace("load(name)", "load(name, None)"))
    assert editor.until(lambda: editor.hints(file), lambda hints: hints == []) == []
    editor.shut(file)


def test_functions_are_known_by_the_script_that_calls_them(
    editor: Editor, folders: tuple[Path, Path]
) -> None:
    layer, script = folders[1] / "layer.py", folders[1] / "script.py"
    editor.open(layer)
    editor.until(lambda: editor.hints(layer), lambda hints: (2, ": float32[2, 5]") in hints)
    editor.open(script)
    editor.edit(script, SCRIPT.replace("5", "7"))
    editor.until(lambda: editor.hints(layer), lambda hints: (2, ": float32[2, 7]") in hints)
    editor.shut(script)
    editor.shut(layer)


def test_opening_a_program_runs_nothing_of_it(editor: Editor, folders: tuple[Path, Path]) -> None:
    file, touched = folders[1] / "harmful.py", folders[1] / "touched"
    file.write_text(
        f"import helpers\nfrom pathlib import Path\nPath({str(touched)!r}).write_text('')\n"
        f"open({str(touched)!r}, 'w')\nlast = helpers.table(4)\n"
    )
    editor.open(file)
    editor.until(lambda: editor.hints(file), lambda hints: hints == [(5, ": float32[4, 2]")])
    editor.shut(file)
    assert not touched.exists()


def test_settings_change_while_it_runs(editor: Editor, program: Path) -> None:
    full = editor.until(lambda: editor.hints(program), lambda hints: (12, ": float32[B, D]") in hints)
    editor.set({"jaxtyping-core": {"hints": "short"}})
    editor.until(lambda: editor.hints(program), lambda hints: (12, ": f32[B D]") in hints)
    editor.set({"jaxtyping-core": {"hints": "off"}})
    editor.until(lambda: editor.hints(program), lambda hints: not hints)
    editor.set({"jaxtyping-core": {"hints": "ful"}})
    nearest = "unknown value of jaxtyping-core.hints: 'ful'; the nearest names are 'full'"
    editor.until(lambda: [m.message for m in editor.client.messages], lambda all_: nearest in str(all_))
    editor.set({"jaxtyping-core": {}})
    editor.until(lambda: editor.hints(program), lambda hints: hints == full)


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    pids = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return list(map(int, pids))


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="only Linux lists the children of a process")
def test_killed_worker_is_replaced_and_nothing_is_lost(editor: Editor, program: Path) -> None:
    before = editor.until(lambda: editor.hints(program), lambda hints: (12, ": float32[B, D]") in hints)
    assert editor.client._server is not None
    for worker in children(editor.client._server.pid):
        os.kill(worker, signal.SIGKILL)
    assert editor.hints(program) == before
    editor.edit(program, PROGRAM.replace("(8, 3)", "(7, 3)"))
    editor.until(lambda: editor.hints(program), lambda hints: (22, ": float32[7, 3]") in hints)
    for worker in children(editor.client._server.pid):
        os.kill(worker, signal.SIGSTOP)  # it hangs: typing goes on
    editor.edit(program, PROGRAM)
    assert "float32" in editor.hover(program, 12, 6)


def test_it_asks_for_nothing_too_early_and_ends_when_it_is_asked_to(tmp_path: Path) -> None:
    editor = Editor(tmp_path, settings={"hints": "short"})
    assert editor.refreshed == 0  # before the editor is initialized
    assert editor.close() == 0
