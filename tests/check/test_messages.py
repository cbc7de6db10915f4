"""mypy's messages, as they are read from its output."""

from __future__ import annotations

import json

import pytest

from jaxtyping_core.checking.messages import messages

pytestmark = pytest.mark.one_python  # no matter of Python or JAX

TEXT = """\
a.py: note: In function "f":
a.py:1: error: first  [misc]
    x = 1
        ^
a.py:1: note: of the first
a.py:2: note: Revealed type is "int"
a.py: note: In class "A":
a.py:3: error: second
a.py:4: note: By default the bodies of untyped functions are not checked  [annotation-unchecked]
Found 2 errors in 1 file (checked 1 source file)
"""


def test_notes_and_lines_of_the_program_belong_to_their_error() -> None:
    lines = TEXT.splitlines()
    groups = [message.lines for message in messages(lines)]
    assert groups == [lines[:5], [lines[5]], lines[6:8], [lines[8]], [lines[9]]]
    assert next(message.notes for message in messages(lines)) == ["of the first"]


def test_json_and_text_are_read_alike() -> None:
    record = {"file": "a.py", "line": 3, "severity": "error", "code": "misc", "message": "m", "hint": "one\ntwo"}  # fmt: skip
    (of_json,) = messages([json.dumps(record)])
    (of_text,) = messages(["a.py:3: error: m  [misc]", "a.py:3: note: one", "a.py:3: note: two"])
    of_json.lines = of_text.lines = []
    assert of_json == of_text
