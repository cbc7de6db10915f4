"""The language server: its hints and diagnostics in the programs of `cases/`, which are typed into one document after the other."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "lsp"))
from claims import cases
from claims.cases import Case
from claims.expected import Error, Said, expected, said
from claims.marks import marks_of
from editor import Editor
from jaxtyping_core import severities
from jaxtyping_core.evaluation.protocol import CODES
from jaxtyping_core.lsp.presentation import SEVERITY
from jaxtyping_core.programs.places import RETURN, Place

pytestmark = pytest.mark.one_python  # long, and no matter of Python or JAX
SEVERITIES = severities.known(())
#: The kinds of findings, by what the server says of them.
KINDS = {(code, SEVERITY[SEVERITIES.get(kind) or SEVERITIES[code]]): kind for kind, code in CODES.items()}
#: How often a test waits for an answer that does not come.
MOST_LOST = 2


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an empty program."""
    folder = tmp_path_factory.mktemp("cases")
    (folder / "program.py").write_text("")
    return folder


@pytest.fixture(scope="module")
def editor(folder: Path) -> Iterator[Editor]:
    """One session for all cases."""
    editor = Editor(folder)
    editor.open(folder / "program.py")
    yield editor
    editor.close()


@pytest.fixture(scope="module")
def lost() -> list[str]:
    """The cases of which the server says nothing."""
    return []


def end_of(case: Case) -> tuple[str, int, str]:
    """What is typed after a program, and a hint there, which tells that the answer is about this one."""
    number = cases.CASES.index(case) + 1_000
    return f"end_of_case = jnp.ones({number})\n", len(case.lines) + 1, f": float32[{number}]"


@pytest.mark.parametrize("case", cases.parameters("server"))
def test_server(editor: Editor, lost: list[str], folder: Path, case: Case) -> None:
    file = folder / "program.py"
    text, line, label = end_of(case)
    editor.edit(file, case.text + text)
    assert len(lost) < MOST_LOST, "the server has not answered before"
    lost.append(case.id)
    editor.until(lambda: editor.hints(file), lambda hints: (line, label) in hints)
    lost.remove(case.id)
    assert _said(editor, file, case) == expected(case, "server")


def _said(editor: Editor, file: Path, case: Case) -> Said:
    """What the server says of a case now."""
    errors = [
        Error(each.range.start.line + 1, KINDS[str(each.code), each.severity], each.message)
        for each in editor.diagnostics(file) or ()
        if each.severity is not None and (each.code, each.severity) in KINDS
    ]
    return said(case, "server", _places(editor, file, case), errors)


def _places(editor: Editor, file: Path, case: Case) -> Iterator[Place]:
    """The places that have hints. Of a name that is not annotated a hint stands after it."""
    for hint in editor.inlay_hints(file):
        line, column, label = hint.position.line + 1, hint.position.character, str(hint.label)
        if line > len(case.lines):
            continue
        if label.startswith("-> "):
            name = RETURN
        else:
            before = re.search(r"\w+$", case.lines[line - 1][:column])
            name = before[0] if before else ""
        mark = f"# P: {name}: {label.removeprefix('-> ').removeprefix(': ')}"
        ((place, _),), _ = marks_of("hints", line, mark)
        yield place
