"""``jaxtyping-core check --output-format``: messages for programs to read."""

from __future__ import annotations

import io
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from check_command import COMMAND, Check, Environment, assert_refused, write
from jaxtyping_core.checking.formats import LINES, Diagnostic
from jaxtyping_core.checking.records import FORMATS, Records

pytestmark = pytest.mark.one_python  # forms of messages are no matter of Python or JAX

PROGRAM = """\
import jax.numpy as jnp
from jaxtyping_core.typing import Float32
x: Float32[()] = jnp.zeros((3, 4))
reveal_type(x)
class A:
    def m(self, x: Float32) -> None: ...
class B(A):
    def m(self, x: int) -> None: ...
jnp.concatenate([
    jnp.zeros((2, 3)), jnp.zeros((2, 4))
])
"""
CONCISE = r"""program\.py:3:18: error: Incompatible types in assignment \(expression has type "float32\[3, 4\]", .*\) \[assignment\]
program\.py:4:13: note: Revealed type is "float32\[\]"
program\.py:8:17: error: Argument 1 of "m" .* defines the argument type as "float32\[\.\.\.\]" \[override\]
program\.py:8:17: note: This violates the Liskov substitution principle
program\.py:8:17: note: See https://\S+
program\.py:9:1: error: JAX refuses .* \[array-shape\]
"""
KEYS = ["file", "line", "column", "end_line", "end_column", "severity", "code", "message", "hint"]
GITHUB = r"""::error file=program\.py,line=3,col=18,endLine=3,endColumn=34,title=assignment::Incompatible types .*
::notice file=program\.py,line=4,col=13,endLine=4,endColumn=13,title=misc::Revealed type is "float32\[\]"
::error file=program\.py,line=8,col=17,endLine=8,endColumn=22,title=override::.*%0AThis violates .*%0ASee https://.*
::error file=program\.py,line=9,endLine=11,title=array-shape::JAX refuses .*
"""


@pytest.fixture
def check(check_with_mypy: Check) -> Check:
    """All of this file is about mypy's messages."""
    return check_with_mypy


def objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_concise(check: Check, tmp_path: Path) -> None:
    write(tmp_path, program=PROGRAM)
    done = check(tmp_path, "program.py", "--output-format", "concise", cache="formats")
    assert re.fullmatch(CONCISE, done.stdout), done.stdout
    assert (done.stderr, done.returncode) == ("", 1)


def test_json(check: Check, tmp_path: Path) -> None:
    write(tmp_path, program=PROGRAM)
    done = check(tmp_path, "--output-format=json", "program.py", cache="formats")
    first, note, third, last = objects(done.stdout)
    assert list(first) == KEYS
    assert [first[key] for key in KEYS if key not in ("message", "hint")] == (
        ["program.py", 3, 18, 3, 34, "error", "assignment"]
    )
    assert PROGRAM.splitlines()[2][18 - 1 : 34] == "jnp.zeros((3, 4))"
    assert '"float32[3, 4]"' in first["message"] and first["hint"] is None
    assert (note["severity"], note["message"]) == ("note", 'Revealed type is "float32[]"')
    assert [line.partition(" ")[0] for line in third["hint"].split("\n")] == ["This", "See"]
    assert [last[key] for key in KEYS[1:5]] == [9, 1, 11, 2]
    assert (done.stderr, done.returncode) == ("", 1)


def test_github(check: Check, tmp_path: Path) -> None:
    write(tmp_path, program=PROGRAM)
    done = check(
        tmp_path, "program.py", "--output-format", "github", cache="formats", GITHUB_WORKSPACE="/nowhere"
    )
    assert re.fullmatch(GITHUB, done.stdout), done.stdout
    assert (done.stderr, done.returncode) == ("", 1)
    # Annotations belong to paths in the repository, also of a command that runs in a folder of it.
    done = check(tmp_path, "program.py", "--output-format", "github", GITHUB_WORKSPACE=str(tmp_path.parent))
    assert done.stdout.startswith(f"::error file={tmp_path.name}/program.py,line=3,")


def test_every_format_says_the_same(check: Check, tmp_path: Path) -> None:
    """As does the text, which has the columns where it is told so."""
    write(tmp_path, program=PROGRAM)
    text = check(tmp_path, "program.py", "--show-column-numbers", cache="formats").stdout.splitlines()[:-1]
    concise = check(tmp_path, "program.py", "--output-format", "concise", cache="formats").stdout.splitlines()
    assert [line.replace("  [", " [") for line in text] == concise
    verbose = check(
        tmp_path, "program.py", "--output-format", "concise", "--mypy-types", cache="formats"
    ).stdout
    assert 'has type "Array[float32, tuple[Literal[3], Literal[4]]]"' in verbose


@pytest.mark.parametrize(
    ("program", "status"),
    [("x = 1\n", 0), ("reveal_type(1)\n", 0), ("x: int = ''\nreveal_type(x)\n", 1), ("x = (\n", 2)],
)
def test_the_status_is_that_of_the_text(check: Check, tmp_path: Path, program: str, status: int) -> None:
    write(tmp_path, program=program)
    assert check(tmp_path, "program.py", cache="formats").returncode == status
    for form in LINES:
        done = check(tmp_path, "program.py", "--output-format", form, cache="formats")
        assert (done.returncode, done.stderr) == (status, ""), form
        assert done.stdout.count("\n") == program.count("\n") - ("= 1" in program), form


def test_what_mypy_cannot_do_is_on_standard_error(check: Check, tmp_path: Path) -> None:
    for arguments, said in {"missing.py": "missing.py", "--no-such": "arguments: --no-such"}.items():
        done = check(tmp_path, arguments, "--output-format", "json")
        assert (done.returncode, done.stdout) == (2, "")
        assert said in done.stderr


def test_options_for_readers_change_nothing(check: Check, tmp_path: Path) -> None:
    write(tmp_path, program=PROGRAM)
    options = ("--pretty", "--show-error-context", "--color-output", "--hide-error-codes", "-O", "json")
    for form in LINES:
        plain = check(tmp_path, "program.py", "--output-format", form, cache="formats")
        done = check(
            tmp_path, "program.py", *options, "--output-format", form, cache="formats", FORCE_COLOR="1"
        )
        assert (done.stdout, done.stderr) == (plain.stdout, plain.stderr)


def test_a_wrong_format(check: Check, tmp_path: Path) -> None:
    done = check(tmp_path, "--output-format", "xml")
    assert_refused(done, "unknown format 'xml'; expected text, concise, json, github, sarif or gitlab")
    assert_refused(
        check(tmp_path, "--install-types", "--output-format=json"), "--install-types asks questions"
    )


CRASHING = """\
from mypy.plugin import Plugin
class Own(Plugin):
    def get_function_hook(self, fullname):
        if fullname == "program.crash":
            print("said by a plugin", flush=True)
            raise RuntimeError("crashed")
def plugin(version):
    return Own
"""


@pytest.mark.parametrize("form", ["text", *FORMATS])
def test_nothing_is_lost_where_mypy_crashes(environment: Environment, tmp_path: Path, form: str) -> None:
    write(tmp_path, own=CRASHING, program="def crash() -> None: ...\nx: int = ''\ncrash()\n")
    (tmp_path / "mypy.ini").write_text("[mypy]\nplugins = own.py\n")
    command = [str(COMMAND), "check", "program.py", "--mypy", "--output-format", form]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment("crash")
    )
    assert done.returncode == 2
    assert "Incompatible types in assignment" in done.stdout
    assert "INTERNAL ERROR" in done.stderr
    assert "said by a plugin" in (done.stdout if form == "text" else done.stderr)


def record(**changes: object) -> str:
    """A line of mypy's JSON."""
    known = {"file": "a.py", "line": 3, "column": 0, "end_line": 3, "end_column": 5, "hint": None}
    return json.dumps({**known, "severity": "error", "code": "misc", "message": "m", **changes})


def shown(capsys: pytest.CaptureFixture[str], form: str, *lines: str) -> tuple[str, str]:
    Records(form, str).show(lines, io.StringIO())
    return capsys.readouterr()


def test_what_github_needs_to_have_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    line = record(file="a,b:c%.py", message="100 %: a, b\r\nc", hint="n: 1", code=None)
    expected = (
        "::error file=a%2Cb%3Ac%25.py,line=3,col=1,endLine=3,endColumn=5::100 %25: a, b%0D%0Ac%0An: 1\n"
    )
    assert shown(capsys, "github", line) == (expected, "")


def test_what_mypy_does_not_know(capsys: pytest.CaptureFixture[str]) -> None:
    line = record(line=-1, column=-1, end_line=-1, end_column=-1, code=None)
    assert shown(capsys, "concise", line) == ("a.py: error: m\n", "")
    assert shown(capsys, "github", line) == ("::error file=a.py::m\n", "")
    (written,) = objects(shown(capsys, "json", line)[0])
    assert Diagnostic(**written) == Diagnostic("a.py", None, None, None, None, "error", None, "m", None)


def test_one_line_for_each_message(capsys: pytest.CaptureFixture[str]) -> None:
    """The message of a deprecation, which a library writes, may have several."""
    line = record(message="deprecated:\nuse another", hint="one\ntwo")
    expected = ["error: deprecated: use another [misc]", "note: one", "note: two"]
    assert shown(capsys, "concise", line)[0].splitlines() == [f"a.py:3:1: {text}" for text in expected]


@pytest.mark.parametrize("line", ["3", "[]", "{}", "null", '{"file": "a.py"}', "error", record(line="x")])
def test_other_lines_go_to_standard_error(capsys: pytest.CaptureFixture[str], line: str) -> None:
    assert shown(capsys, "json", "", line) == ("", f"{line}\n")


def test_a_status_of_one_is_kept_unless_there_are_notes_alone(capsys: pytest.CaptureFixture[str]) -> None:
    note, error, crash = record(severity="note"), record(), "Traceback (most recent call last):"
    for lines, status in {
        (note,): 0,
        (note, error): 1,
        (): 1,
        (note, "warning"): 0,
        (note, crash): 1,
    }.items():
        records = Records("json", str)
        records.show(lines, io.StringIO())
        assert (records.status(1), records.status(0), records.status(2)) == (status, 0, 2)
