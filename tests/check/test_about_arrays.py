"""``jaxtyping-core check`` prints the errors that are about arrays, and counts the others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from check_command import Check, write
from jaxtyping_core.checking import formats
from jaxtyping_core.checking.about import Selection, is_about_arrays
from jaxtyping_core.checking.messages import Message, messages

pytestmark = pytest.mark.one_python  # no matter of Python or JAX

PROGRAM = """\
import dataclasses
import jax
import jax.numpy as jnp
from collections import OrderedDict
from jaxtyping_core.typing import Float32

@dataclasses.dataclass
class Weights:
    w: jax.Array

def narrow(w: Weights) -> Weights:
    sizes = {}
    return w.replace(w=1)

def scale(x: Float32) -> Float32:
    count: int = "3"
    OrderedDict().get(1, 2, 3)
    return x * count

def lengths(names: list[str]) -> int:
    return sum(names)

scale(3)
jnp.zeros(3) + jnp.zeros(4)
jnp.ones_of_rank(3)
"""
ARRAYS = """\
program.py:23: error: Argument 1 to "scale" has incompatible type "int"; expected "float32[...]"  [arg-type]
program.py:24: error: float32[3] + float32[4] does not broadcast: axis -1 is 3 on the left and 4 on the right; \
sizes must be equal, or one of them 1  [array-shape]
program.py:25: error: Module has no attribute "ones_of_rank"  [attr-defined]
Found 3 errors in 1 file (checked 1 source file)
"""
LEFT_OUT = "jaxtyping-core: mypy also found 5 errors that are not about arrays; use --mypy to print them\n"
OTHERS = "def f(x: int) -> str:\n    return x\n\nreveal_type(f(1))\n"


def test_errors_about_arrays_are_printed_and_the_others_counted(check: Check, tmp_path: Path) -> None:
    write(tmp_path, program=PROGRAM)
    done = check(tmp_path, "program.py")
    assert (done.stdout, done.stderr, done.returncode) == (ARRAYS, LEFT_OUT, 1)
    whole = check(tmp_path, "program.py", "--mypy")
    assert "Found 8 errors in 1 file" in whole.stdout and '"replace"' in whole.stdout
    assert "note: Possible overload variants" in whole.stdout
    assert whole.stderr == ""


def test_errors_that_are_not_printed_are_no_failure(check: Check, tmp_path: Path) -> None:
    write(tmp_path, others=OTHERS)
    for form in ("text", *formats.FORMATS):
        done = check(tmp_path, "others.py", "--format", form, cache="formats")
        assert "mypy also found 1 error that is not about arrays; use --mypy to print it\n" in done.stderr
        assert done.returncode == 0
        assert "Revealed type" in done.stdout and "return-value" not in done.stdout
        assert check(tmp_path, "others.py", "--mypy", "--format", form, cache="formats").returncode == 1
    assert "Success: no issues found in 1 source file" in check(tmp_path, "others.py").stdout


def test_the_setting(check: Check, tmp_path: Path) -> None:
    write(tmp_path, others=OTHERS)
    (tmp_path / "pyproject.toml").write_text("[tool.jaxtyping_core]\nmypy = true\n")
    done = check(tmp_path, "others.py")
    assert (done.returncode, done.stderr) == (1, "")
    assert "[return-value]" in done.stdout


def test_codes_that_are_hidden_are_read_all_the_same(check: Check, tmp_path: Path) -> None:
    write(tmp_path, program=PROGRAM)
    for options in (["--hide-error-codes"], ["--hide-error-codes", "--mypy-types", "--pretty"]):
        done = check(tmp_path, "program.py", *options)
        assert "[a" not in done.stdout
        assert "Found 3 errors in 1 file" in done.stdout
        assert done.stderr == LEFT_OUT


def test_a_comment_that_ignores_no_error_of_arrays_is_reported(check: Check, tmp_path: Path) -> None:
    write(tmp_path, unused="x = 1  # type: ignore[array-shape]\ny = 2  # type: ignore[index]\n")
    done = check(tmp_path, "unused.py", "--warn-unused-ignores")
    assert done.stdout.startswith('unused.py:1: error: Unused "type: ignore" comment')
    assert "Found 1 error in 1 file" in done.stdout
    assert "1 error that is not about arrays" in done.stderr


def error(code: str | None, text: str, *notes: str) -> Message:
    return Message([], "error", "nowhere.py", 1, code, text, [*notes])


@pytest.mark.parametrize(
    "message",
    [
        error("array-shape", "no array is named here"),
        error("return-value", 'Incompatible return value type (got "Array[float32, Any]", expected "int")'),
        error("arg-type", 'has incompatible type "list[int]"; expected "Array[Any, Any] | None"'),
        error("arg-type", "has type \"int\"; expected \"Float32[Array, 'b n']\""),
        error("assignment", 'has type "tuple[Array[Any, Any], int]", variable has type "dict[str, Array[Any, Any]]"'),
        error("call-arg", 'Unexpected keyword argument "a" for "clip"', '"clip" defined in "jax.numpy"'),
        error("attr-defined", 'Module "jax.lax" has no attribute "no"'),
        error(
            "call-overload",
            'No overload variant of "f" matches argument type "int"',
            "Possible overload variants:",
            "    def f(self, x: Array[Any, Any]) -> None",
        ),
    ],
)  # fmt: skip
def test_what_is_about_arrays(message: Message) -> None:
    assert is_about_arrays(message)


@pytest.mark.parametrize(
    "message",
    [
        error("attr-defined", '"State" has no attribute "replace"'),
        error("attr-defined", 'Module has no attribute "no"'),
        error("union-attr", 'Item "None" of "Array[Any, Any] | None" has no attribute "shape"'),
        error("no-any-return", 'Returning Any from function declared to return "Array[Any, Any]"'),
        error("arg-type", 'incompatible type "Callable[[Array[Any, Any]], int]"; expected "Policy"'),
        error("arg-type", 'incompatible type "float | None"; expected "float"'),
        error("assignment", 'has type "Mapping[str, Array[Any, Any]]", variable has type "dict[Any, Any]"'),
        error("call-arg", 'Unexpected keyword argument "a" for "f"', '"f" defined in "jaxes"'),
        error("unused-ignore", 'Unused "type: ignore" comment'),
        error("var-annotated", 'Need type annotation for "xs"'),
        error("import-not-found", 'Cannot find implementation or library stub for module named "warp"'),
    ],
)
def test_what_is_not(message: Message) -> None:
    assert not is_about_arrays(message)


OF_LINES = """\
import dataclasses
from jax import Array
from jaxtyping import Float32
@dataclasses.dataclass
class Layer:
    w: Array
class Named:
    def __init__(self, name: str) -> None: ...
def scale(x: Array, by: float) -> Array:
    return x * by
def shout(name: str) -> str:
    return name
Layer(v=1)
Named(3, 4)
scale(
    by=2.0)
shout()
def make() -> Float32[Array]: ...
def text() -> dict[str]: ...
"""


@pytest.mark.parametrize(
    ("code", "line", "is_about"),
    [
        *(("call-arg", 13, True), ("call-arg", 14, False), ("call-arg", 15, True), ("call-arg", 17, False)),
        *(("valid-type", 18, True), ("type-arg", 19, False), ("index", 18, False)),
    ],
)
def test_what_the_line_says(tmp_path: Path, code: str, line: int, is_about: bool) -> None:
    """Where mypy's message does not say whether it is about arrays."""
    write(tmp_path, program=OF_LINES)
    message = Message([], "error", str(tmp_path / "program.py"), line, code, "no types")
    assert is_about_arrays(message) is is_about


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


def test_where_a_message_is_goes_with_it() -> None:
    shown = [message.lines for message in messages(TEXT.splitlines()) if Selection(False).takes(message)]
    assert shown[:1] == [TEXT.splitlines()[5:6]]


def test_errors_of_a_run_that_ended_early_are_printed() -> None:
    selection = Selection(everything=False)
    assert selection.takes(error("syntax", "invalid syntax"))
    assert selection.takes(error(None, 'Duplicate module named "a"'))
    assert selection.takes(Message([], text="Traceback (most recent call last):"))
    assert selection.note is None


def test_json_and_text_are_read_alike() -> None:
    record = {"file": "a.py", "line": 3, "severity": "error", "code": "misc", "message": "m", "hint": "one\ntwo"}  # fmt: skip
    (of_json,) = messages([json.dumps(record)])
    (of_text,) = messages(["a.py:3: error: m  [misc]", "a.py:3: note: one", "a.py:3: note: two"])
    of_json.lines = of_text.lines = []
    assert of_json == of_text
