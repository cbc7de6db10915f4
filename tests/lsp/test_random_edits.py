"""After random edits the server says what `show` and `check`, started anew, say of the same text.

Of a few edits; of as many as ``RANDOM_EDITS`` says where it is set: 200 take an hour, nearly all of it in `show` and `check`.
"""

from __future__ import annotations

import ast
import os
import random
import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from test_server import PROGRAM, run

from editor import Editor
from jaxtyping_core.programs.places import RETURN, from_json

pytestmark = pytest.mark.one_python

EDITS = int(os.environ.get("RANDOM_EDITS", "1"))
EXAMPLE = Path(__file__).parents[2] / "examples" / "train.py"
#: Functions without annotations, and annotated ones.
PROGRAMS = {"example": EXAMPLE.read_text(), "annotated": PROGRAM}
#: Lines and columns.
Ends = set[tuple[int, int]]
NUMBER = re.compile(r"(?<=[ (])(\d+\.\d+|\d+)(?=[ ,)])")


def edited(text: str, generator: random.Random) -> str:
    """The text with another number in one place; it stays Python, and may become wrong."""
    place = generator.choice([*NUMBER.finditer(text)])
    value = f"{generator.uniform(0.1, 2):.4f}" if "." in place[0] else str(generator.randint(1, 64))
    return text[: place.start()] + value + text[place.end() :]


def test_random_edits(tmp_path: Path) -> None:
    editor = Editor(tmp_path, settings={"diagnostics": "all"})
    generator = random.Random(0)
    for name, text in PROGRAMS.items() if EDITS > 1 else [("example", PROGRAMS["example"])]:
        file, fresh = tmp_path / f"{name}.py", tmp_path / f"{name}_fresh.py"
        file.write_text(text)
        editor.open(file)
        for _ in range(EDITS):
            changed = edited(text, generator)
            editor.edit(file, changed)
            fresh.write_text(changed)
            expected = hints_of(fresh), problems_of(fresh)
            silent, own = annotated(changed), parameters(changed)

            def said(file: Path = file, silent: set[int] = silent, own: Ends = own) -> tuple[object, object]:
                hints = [
                    (line, str(hint.label))
                    for hint in editor.inlay_hints(file)
                    if (line := hint.position.line + 1) not in silent
                    and (line, hint.position.character) not in own
                ]
                found = editor.diagnostics(file) or ()
                return hints, sorted((d.range.start.line + 1, str(d.code)) for d in found)

            editor.until(said, lambda found, expected=expected: found == expected)
            assert expected[0]
        editor.shut(file)
    editor.close()


def hints_of(file: Path) -> list[tuple[int, str]]:
    """What `show` says, as hints, but for lines in which an annotation may say it already."""
    (record,) = run("show", file, "--json")
    silent = annotated(file.read_text())
    places = [from_json(place | {"file": file.name}) for place in record["places"]]
    return [
        (place.line, f"{'-> ' if place.name == RETURN else ': '}{place.value}")
        for place in places
        if not place.is_open and place.line not in silent
    ]


def problems_of(file: Path) -> list[tuple[int, str]]:
    """What `check` says: the lines and the codes."""
    found = run("check", file, "--format", "json")
    return sorted((problem["line"], str(problem["code"])) for problem in found)


def parameters(text: str) -> Ends:
    """Where parameters end, which `show` says nothing of."""
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.arg)]
    return {(node.end_lineno or 0, node.end_col_offset or 0) for node in nodes}


def annotated(text: str) -> set[int]:
    """The lines of assignments with annotations, and of what functions return whose results are annotated."""
    tree = ast.parse(text)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.returns]
    returns = [node for function in functions for node in ast.walk(function) if isinstance(node, ast.Return)]
    assigned = [node for node in ast.walk(tree) if isinstance(node, ast.AnnAssign)]
    return {node.lineno for node in (*returns, *assigned)}
