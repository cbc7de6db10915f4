"""What ``jaxtyping-core check`` prints: mypy's text, with arrays as our own messages spell them."""

from __future__ import annotations

import io
import os
import select
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from check_command import COMMAND, Check, Environment, write
from jaxtyping_core.checking.run import choose_output
from jaxtyping_core.checking.text import Text

ARRAYS = """\
from typing import Any, Callable, Literal, TypeVar
import jax.numpy as jnp
from jaxtyping_core.typing import Array, BFloat16, Float32, weak_float
B = TypeVar("B")
T = TypeVar("T")
def halve(x: Float32[B, T, Literal[64]]) -> None:
    y: Float32[B, T, Literal[64]] = x.astype(jnp.bfloat16)
def apply(f: Callable[[list[Float32[Literal[4]]]], Array], *xs: BFloat16[Any, *tuple[Any, ...]]) -> None:
    apply(3, "Array[float32, tuple[Literal[3]]]")  # "Array[float32, Any]"
def several(a: Float32[B, Any, Literal[3]], b: Array[weak_float, tuple[()]], c: Float32, d: Array) -> None:
    reveal_locals()
    a & 1; b & 1; c & 1
"""
REPORT = """\
arrays.py:7: error: Incompatible types in assignment (expression has type "bfloat16[B, T, 64]", variable has type \
"float32[B, T, 64]")  [assignment]
arrays.py:9: error: Argument 1 to "apply" has incompatible type "int"; expected \
"Callable[[list[float32[4]]], Array[...]]"  [arg-type]
arrays.py:9: error: Argument 2 to "apply" has incompatible type "str"; expected "bfloat16[?, ...]"  [arg-type]
arrays.py:11: note: Revealed local types are:
arrays.py:11: note:     a: float32[B, ?, 3]
arrays.py:11: note:     b: weak_float[]
arrays.py:11: note:     c: float32[...]
arrays.py:11: note:     d: Array[...]
"""
PRETTY = """\
arrays.py:9: error: Argument 2 to "apply" has incompatible type "str";
expected "bfloat16[?, ...]"  [arg-type]
        apply(3, "Array[float32, tuple[Literal[3]]]")  # "Array[float32...
                 ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
"""
#: None of its messages has an array in mypy's spelling: they must be shown as mypy shows them.
OTHERS = """\
import jax.numpy as jnp
def f(a: int, b: list[str]) -> int:
    return "a" + undefined(a, b, "a line of the program that is longer than the terminal is wide, with an ä")
class A:
\tx: int = f("a", [1]) + f(2, 3)  # after tabs
\tdef m(self) -> "int":
\t\treveal_type(self.x)
\t\treturn jnp.zeros(3) + jnp.zeros(4)
f(
    "a",
    ["1"])
import missing
"""


@pytest.fixture
def check(check_with_mypy: Check) -> Check:
    """All of this file is about mypy's messages."""
    return check_with_mypy


@pytest.mark.one_python
def test_arrays_are_spelled_as_in_our_own_messages(check: Check, tmp_path: Path) -> None:
    write(tmp_path, arrays=ARRAYS)
    done = check(tmp_path, "arrays.py")
    assert (done.stdout[: len(REPORT)], done.stderr, done.returncode) == (REPORT, "", 1)
    own = [line.partition("JAX refuses ")[2] for line in done.stdout.splitlines()[-4:-1]]
    assert [text.partition(" & ")[0] for text in own] == ["float32[B, ?, 3]", "weak_float[]", "float32[...]"]


def test_lines_of_the_program_stay_and_their_marks_fit(check: Check, tmp_path: Path) -> None:
    write(tmp_path, arrays=ARRAYS)
    assert PRETTY in check(tmp_path, "--pretty", "arrays.py", COLUMNS="77").stdout


@pytest.mark.one_python  # long, and no matter of Python or JAX
@pytest.mark.parametrize("options", [[], ["--pretty"], ["--show-column-numbers", "--show-error-end"]])
def test_mypy_types_are_what_mypy_writes(
    check: Check, environment: Environment, tmp_path: Path, options: list[str]
) -> None:
    write(tmp_path, arrays=ARRAYS)
    (tmp_path / "mypy.ini").write_text("[mypy]\nplugins = jaxtyping_core.mypy\n")
    mypy = [sys.executable, "-P", "-m", "mypy", *options, "arrays.py"]
    own = environment("own")
    plain = subprocess.run(mypy, cwd=tmp_path, capture_output=True, text=True, check=False, env=own)
    assert '"Array[float32, tuple[B, T, Literal[64]]]"' in plain.stdout
    done = check(tmp_path, "--mypy-types", *options, "arrays.py", cache="own")
    assert (done.stdout, done.stderr, done.returncode) == (plain.stdout, plain.stderr, plain.returncode)


@pytest.mark.one_python
@pytest.mark.parametrize("option", ["-v", "--verbose"])
def test_mypys_own_verbosity(check: Check, tmp_path: Path, option: str) -> None:
    write(tmp_path, empty="")
    done = check(tmp_path, option, "empty.py")
    assert "LOG:  Mypy Version:" in done.stderr
    assert done.stdout == "Success: no issues found in 1 source file\n"


def test_questions_are_left_to_mypy() -> None:
    for option in ("--install-types", "--pdb"):
        assert choose_output([option], "text", False).stdout is None
        assert choose_output([option, "--non-interactive"], "text", False).stdout == subprocess.PIPE
    assert choose_output(["--pretty"], "text", True).stdout == subprocess.PIPE


@pytest.mark.one_python
@pytest.mark.own_processes  # a new interpreter opens the streams
@pytest.mark.parametrize("variables", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}])
def test_characters_that_the_stream_does_not_have(
    check: Check, tmp_path: Path, variables: dict[str, str]
) -> None:
    program = 'from typing import TypedDict\nT = TypedDict("T", {"ä": int})\nt: T = {"ä": "no"}\n'
    (tmp_path / "umlaut.py").write_text(program, encoding="utf-8")
    for options in ([], ["--pretty"], ["--output-format", "concise"], ["--output-format", "github"]):
        done = check(tmp_path, "umlaut.py", *options, **variables)
        assert (done.returncode, done.stderr) == (1, "")
        assert r'TypedDict item "\xe4"' in done.stdout.replace("\n", " ")


def in_terminal(environment: Environment, folder: Path, *arguments: str, width: int = 70) -> bytes:
    """What the command writes to a terminal."""
    fcntl, termios = pytest.importorskip("fcntl", reason="no Unix"), pytest.importorskip("termios")
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 40, width, 0, 0))
    env = environment(TERM="xterm")
    for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR"):
        env.pop(name, None)
    pieces = []
    with subprocess.Popen(
        [str(COMMAND), "check", "--mypy", *arguments],
        cwd=folder,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=env,
    ) as process:
        # This end of it stays open: what was written may be lost when the last one is closed.
        while select.select([ours], [], [], 0.2)[0] or process.poll() is None:
            if select.select([ours], [], [], 0)[0]:
                pieces.append(os.read(ours, 65536))
    os.close(theirs)
    os.close(ours)
    return b"".join(pieces)


@pytest.mark.one_python
@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--pretty", "--show-error-context"],
        ["--pretty", "--hide-error-codes", "--show-column-numbers"],
        ["--pretty", "--no-color-output"],
    ],
)
def test_a_terminal_shows_what_mypy_shows(
    environment: Environment, tmp_path: Path, options: list[str]
) -> None:
    write(tmp_path, others=OTHERS)
    shown = in_terminal(environment, tmp_path, *options, "others.py")
    assert shown == in_terminal(environment, tmp_path, "--mypy-types", *options, "others.py")
    assert (b"\x1b[" in shown) is ("--no-color-output" not in options)
    assert b"Found 7 errors in 1 file" in shown


def test_colors_and_the_short_spelling(environment: Environment, tmp_path: Path) -> None:
    write(tmp_path, arrays=ARRAYS)
    shown = in_terminal(environment, tmp_path, "--pretty", "arrays.py")
    assert b'\x1b[1m"float32[B, T, 64]"' in shown
    assert b'Literal[64]]]"' not in shown
    assert b'        apply(3, "Array[float32, tuple[Literal[3]]]")' in shown


UNEXPECTED = """\
LOG: something
Traceback (most recent call last):
    "Array[float32, Any]"

a.py:1: error: got "Array[float32, Any]"
    f("Array[float32, Any]")
      ^~~~~~~~~~~~~~~~~~~~~
    "Array[float32, Any]"
"Array[float32, Any]"
"""


def test_what_is_no_message_is_passed_on() -> None:
    shown = io.StringIO()
    Text(sys.stdout, sys.stderr).show(UNEXPECTED.splitlines(), shown)
    assert shown.getvalue() == UNEXPECTED.replace('got "Array[float32, Any]"', 'got "float32[...]"')


def test_messages_come_one_by_one() -> None:
    """A message is shown when the next one comes, not at the end of the run."""
    shown = io.StringIO()

    def lines():
        yield 'a.py:1: error: got "Array[float32, Any]"'
        yield "a.py:2: note: second"
        assert shown.getvalue() == 'a.py:1: error: got "float32[...]"\n'

    Text(sys.stdout, sys.stderr).show(lines(), shown)
