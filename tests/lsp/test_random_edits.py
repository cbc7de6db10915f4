"""After random edits the server says what an evaluation that is begun anew says of the same text.

Of one edit; of as many as ``RANDOM_EDITS`` says where it is set, of each of three programs, others with another ``RANDOM_SEED``.
"""

from __future__ import annotations

import ast
import contextlib
import itertools
import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2] / "benchmarks")]
from random_edits import edits, half_typed
from sample_program import program
from test_server import PROGRAM

from editor import Editor
from jaxtyping_core.checking.findings import findings, told
from jaxtyping_core.programs.evaluate import evaluate_programs
from jaxtyping_core.programs.places import RETURN
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings
from jaxtyping_core.severities import printed

pytestmark = pytest.mark.one_python

EDITS, SEED = int(os.environ.get("RANDOM_EDITS", "1")), int(os.environ.get("RANDOM_SEED", "0"))
#: How often the line of an edit is half typed for a moment.
HALF_TYPED = 0.4
EXAMPLE = Path(__file__).parents[2] / "examples" / "train.py"
#: Functions without annotations, and annotated ones.
PROGRAMS = {"example": EXAMPLE.read_text(), "annotated": PROGRAM, "long": program(1000)}
#: Lines and columns.
Ends = set[tuple[int, int]]
#: A line, a column, a code and a message.
Problem = tuple[int, int, str, str]
#: Hints, with their lines, and problems.
Said = tuple[list[tuple[int, str]], list[Problem]]


def test_random_edits(tmp_path: Path) -> None:
    editor = Editor(tmp_path, settings={"diagnostics": "on"})
    generator = random.Random(SEED)
    for name in PROGRAMS if EDITS > 1 else ["example"]:
        for number, (said, expected) in enumerate(compared(editor, tmp_path / f"{name}.py", generator), 1):
            assert said == expected, f"{name}, edit {number}"
    editor.close()


def compared(editor: Editor, file: Path, generator: random.Random) -> Iterator[tuple[Said, Said]]:
    """What the server says after each edit of a program, and what is said of the text anew."""
    text, fresh = PROGRAMS[file.stem], file.with_name(f"{file.stem}_fresh.py")
    file.write_text(text)
    editor.open(file)
    for changed in itertools.islice(edits(text, generator), EDITS):
        if generator.random() < HALF_TYPED:
            editor.edit(file, half_typed(text, changed, generator))
            editor.rest(generator.uniform(0, 1.5))  # it is looked at meanwhile, or is not
        editor.edit(file, text := changed)
        fresh.write_text(changed)
        expected = said_anew(fresh)
        silent, own = annotated(changed), parameters(changed)

        def said(silent: set[int] = silent, own: Ends = own) -> Said:
            hints = [
                (line, str(hint.label))
                for hint in editor.inlay_hints(file)
                if (line := hint.position.line + 1) not in silent
                and (line, hint.position.character) not in own
            ]
            return hints, sorted(map(problem_of, editor.diagnostics(file) or ()))

        with contextlib.suppress(AssertionError):  # the difference says more
            editor.until(said, lambda shown, expected=expected: shown == expected)
        yield said(), expected
    editor.shut(file)


def problem_of(diagnostic: types.Diagnostic) -> Problem:
    """A diagnostic of the server's: its line, column and code, and what it says first."""
    at = diagnostic.range.start
    return at.line + 1, at.character + 1, str(diagnostic.code), diagnostic.message.partition("\n")[0]


def said_anew(file: Path) -> Said:
    """What an evaluation that is begun anew says, but for lines in which an annotation may say it already."""
    programs = collect([file])
    report = evaluate_programs(programs, Settings(), cached=False)
    silent = annotated(file.read_text())
    hints = [
        (place.line, f"{'-> ' if place.name == RETURN else ': '}{place.value}")
        for place in report.places
        if place.file == str(file) and not place.is_open and place.line not in silent
    ]
    lines = file.read_text().splitlines()
    problems = [
        (
            refusal.line,
            # The editor counts characters.
            len(lines[refusal.line - 1].encode()[: refusal.column].decode()) + 1,
            str(told(refusal).code),
            told(refusal).message.replace(file.stem, file.stem.removesuffix("_fresh")),
        )
        for refusal in findings(report, programs, printed(()))
    ]
    return hints, sorted(problems)


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
