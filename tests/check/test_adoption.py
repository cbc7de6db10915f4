"""A repository that has findings already: codes that are chosen, a baseline, comments that are added, and counts."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest
from hypothesis import given as examples
from hypothesis import settings
from hypothesis import strategies as st

from check_command import CLEAN, Check, assert_refused, write
from jaxtyping_core.checking.add_ignores import with_ignores
from jaxtyping_core.checking.ignoring import Ignored
from jaxtyping_core.errors import CommandError

pytestmark = pytest.mark.one_python  # no matter of Python or JAX

HEAD = "import jax.numpy as jnp\n\nx = jnp.ones((3, 4))\ny = jnp.ones((3, 5))\n"
PROGRAM = f"{HEAD}x + y\nx & 1; x + y\n"
LINE = re.compile(r"^(\S+): (?:error|warning): .*  \[([\w-]+)\]$", re.MULTILINE)
#: Lines with mistakes, as people write them.
AWKWARD = '''\
x + y  # a comment
x & 1; x + y
z = x + \\
    y
w = (x + y,
     """
     text \\
     # not a comment""")
v = x + y  # type: ignore[array-dtype]
u = x + y  # jaxtyping: ignore[array-dtype]  # noqa
s = f"""{
   x + y}
"""; t = """a
b""", x + y, \\
  1
@(lambda f: (x + y, f)[1])
def g(
    a=x + y,
): return a
if (x +
    y) is None: pass
'''


def places(text: str) -> list[tuple[str, str]]:
    return LINE.findall(text)


def test_codes_are_chosen(check: Check, tmp_path: Path) -> None:
    write(tmp_path, program=PROGRAM)
    shape, other = ("program.py:5", "array-shape"), ("program.py:6", "array-shape")
    dtype = ("program.py:6", "array-dtype")
    for options, expected in {
        (): [shape, dtype, other],
        ("--select", "array-dtype"): [dtype],
        ("--ignore", "array-dtype"): [shape, other],
        ("--select", "array-shape, array-dtype", "--ignore", "array-shape"): [dtype],
        ("--ignore", "array-dtype", "--ignore", "array-shape"): [],
    }.items():
        done = check(tmp_path, "program.py", *options)
        assert (places(done.stdout), done.returncode) == (expected, bool(expected)), options
    assert_refused(
        check(tmp_path, "--select", "array-shap"), "unknown error code 'array-shap'", "array-shape"
    )


def test_statistics(check: Check, tmp_path: Path) -> None:
    write(tmp_path, program=f"{PROGRAM}x + y\n")
    done = check(tmp_path, "--statistics")
    assert (done.returncode, done.stdout) == (1, "3  array-shape\n1  array-dtype\n")
    write(tmp_path, program=CLEAN)
    assert check(tmp_path, "--statistics").stdout == "No findings\n"
    refused = check(tmp_path, "--statistics", "--add-ignores")
    assert_refused(refused, "--add-ignores and --statistics cannot be used together")


def test_a_baseline(check: Check, tmp_path: Path) -> None:
    write(tmp_path, program=PROGRAM, clean=CLEAN)
    done = check(tmp_path, "--write-baseline", "known.json")
    assert (done.returncode, done.stdout) == (0, "Wrote 3 findings to known.json\n")
    entries = json.loads((tmp_path / "known.json").read_text())["findings"]
    assert {"file": "program.py", "code": "array-shape", "text": "x + y", "count": 1} in entries

    known = "3 known findings in known.json left out\n"
    done = check(tmp_path, "--baseline", "known.json")
    assert (done.returncode, done.stdout) == (0, f"Success: no issues found in 2 source files\n{known}")
    # Edits elsewhere move lines, and blocks are indented.
    write(tmp_path, program=PROGRAM.replace("x + y\nx", "# more\nif True:\n    x + y\nx"))
    assert check(tmp_path, "--baseline", "known.json").returncode == 0
    # The same line once more is a new finding.
    write(tmp_path, program=f"{PROGRAM}x + y\n")
    assert places(check(tmp_path, "--baseline", "known.json").stdout) == [("program.py:7", "array-shape")]


def test_entries_that_no_longer_occur(check: Check, tmp_path: Path) -> None:
    write(tmp_path, program=PROGRAM, other=PROGRAM)
    check(tmp_path, "--write-baseline", "known.json")
    write(tmp_path, program=PROGRAM.replace("\nx + y\n", "\n"))
    gone = "1 finding in known.json no longer occurs; update it with --write-baseline known.json\n"
    assert check(tmp_path, "--baseline", "known.json").stdout.endswith(gone)
    assert gone not in check(tmp_path, "--baseline", "known.json", "other.py").stdout  # not looked at
    as_json = check(tmp_path, "--baseline", "known.json", "--output-format", "json")
    assert (as_json.stdout, as_json.stderr.endswith(gone)) == ("", True)
    (tmp_path / "other.py").unlink()
    assert "4 findings in known.json no longer occur;" in check(tmp_path, "--baseline", "known.json").stdout


def test_the_baseline_of_the_settings(check: Check, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    write(tmp_path / "src", program=PROGRAM)
    (tmp_path / "pyproject.toml").write_text('[tool.jaxtyping_core]\nbaseline = "ci/known.json"\n')
    assert_refused(check(tmp_path), "known.json: no such baseline", "--write-baseline")
    (tmp_path / "ci").mkdir()
    assert check(tmp_path, "--write-baseline", "ci/known.json").returncode == 0
    for folder in (tmp_path, tmp_path / "src"):
        assert check(folder).returncode == 0
    # What is written again has what the earlier one leaves out.
    assert check(tmp_path, "--write-baseline", "ci/known.json").stdout.startswith("Wrote 3 findings")
    (tmp_path / "ci" / "known.json").write_text('{"version": 2}')
    assert_refused(check(tmp_path), "not a baseline of this version")
    (tmp_path / "pyproject.toml").write_text("[tool.jaxtyping_core]\nbaseline = 3\n")
    assert_refused(check(tmp_path), "baseline must be the path of a file, not 3")


def test_the_same_with_mypy(check_with_mypy: Check, tmp_path: Path) -> None:
    text = f"{PROGRAM}\n\ndef f(x):\n    return x + y\n\n\nf(x)\nz: int = ''\n"
    write(tmp_path, program=text)
    before = places(check_with_mypy(tmp_path, "program.py").stdout)
    assert {"assignment", "array-shape"} <= {code for _, code in before}
    chosen = check_with_mypy(tmp_path, "program.py", "--select", "assignment")
    assert places(chosen.stdout) == [("program.py:14", "assignment")]
    assert chosen.stdout.endswith("Found 1 error in 1 file (checked 1 source file)\n")
    counted = check_with_mypy(tmp_path, "program.py", "--statistics").stdout
    assert "1  assignment\n" in counted
    assert check_with_mypy(tmp_path, "program.py", "--write-baseline", "known.json").returncode == 0
    done = check_with_mypy(tmp_path, "program.py", "--baseline", "known.json")
    assert (done.returncode, done.stdout) == (0, "Success: no issues found in 1 source file\n"), done.stdout
    write(tmp_path, program=f"{text}q: int = ''\n")
    done = check_with_mypy(tmp_path, "program.py", "--baseline", "known.json", "--output-format", "concise")
    assert (done.returncode, done.stdout.count("\n")) == (1, 1)
    assert_refused(check_with_mypy(tmp_path, "--add-ignores"), "--add-ignores cannot be used with mypy")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_comments_are_added(check: Check, tmp_path: Path, end: str, encoding: str) -> None:
    text = f"# coding: {encoding.removesuffix('-sig')}\n{HEAD}name = 'é'\n{AWKWARD}"
    before = text.replace("\n", end).encode(encoding)
    file = tmp_path / "program.py"
    file.write_bytes(before)
    file.chmod(0o755)
    assert check(tmp_path, "program.py").returncode == 1
    done = check(tmp_path, "program.py", "--add-ignores")
    assert (done.returncode, done.stderr) == (0, ""), done
    assert re.fullmatch(r"Silenced \d+ lines in 1 file\n", done.stdout)
    after = file.read_bytes()
    assert check(tmp_path, "program.py").stdout == "Success: no issues found in 1 source file\n", (
        after.decode(encoding)
    )
    assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(before))
    assert after.decode(encoding).count("\r\n") == before.decode(encoding).count("\r\n")
    assert file.stat().st_mode & 0o777 == 0o755
    assert after.startswith(before[:20])
    assert b"x + y  # a comment  # jaxtyping: ignore[array-shape]" in after
    assert b"u = x + y  # jaxtyping: ignore[array-dtype, array-shape]  # noqa" in after
    # Nothing is left to do.
    assert check(tmp_path, "program.py", "--add-ignores").stdout == "Silenced 0 lines in 0 files\n"
    assert file.read_bytes() == after


PIECES = st.sampled_from(
    [
        *("x = 1", "f(a,\n  b)", "x = 1  # noqa", "y = 2  # jaxtyping: ignore[donated]", "s = '# no'"),
        *('t = """a\nb"""', "z = 1 + \\\n  2", 'w = """a\\\n# b""" + \\\n "c"', "q = f'''{\n1}'''  ", "\x0c"),
        *("@f\ndef g(\n  a=1,\n): return '''\n'''", "if x: pass  # type: ignore[misc]", "", "v = '\\\n'"),
        "p = 1  # jaxtyping: ignore",
    ]
)


@settings(max_examples=300, deadline=None)
@examples(st.lists(PIECES, min_size=1, max_size=8), st.sampled_from(["\n", "\r\n", "\r"]), st.data())
def test_any_line_of_any_text_can_be_silenced(pieces: list[str], end: str, data: st.DataObject) -> None:
    text = "\n".join(pieces) + data.draw(st.sampled_from(["", "\n"]))
    numbers = st.integers(1, text.count("\n") + 1)
    wanted = data.draw(
        st.dictionaries(numbers, st.sets(st.sampled_from(["array-shape", "donated"]), min_size=1))
    )
    after = with_ignores(text.replace("\n", end).encode(), wanted).decode()
    assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(text))
    assert after.count(end) == text.count("\n")
    program = Path(data.draw(st.just("silenced.py")))
    ignored = Ignored(program, after.replace(end, "\n"))
    for line, codes in wanted.items():
        assert all(ignored.by(line, code) is not None for code in codes), (text, after)
    again = with_ignores(after.encode(), wanted).decode()
    assert again == after


def test_an_encoding_that_would_change_is_refused() -> None:
    content = b"# coding: iso2022_jp\nx = '" + b'\x1b$B$"\x1b(B\x1b(B' + b"'\n"
    with pytest.raises(CommandError, match="cannot be written as it was"):
        with_ignores(content, {2: ["array-shape"]})


def test_comments_that_silence_nothing(check: Check, tmp_path: Path) -> None:
    lines = [
        "x + y  # jaxtyping: ignore[array-shape, array-dtype]",
        "x + x  # jaxtyping: ignore",
        "x + x  # type: ignore",
        "x + x  # jaxtyping: ignore[return-value]",
        "x + y  # jaxtyping: ignore",
    ]
    write(tmp_path, program=HEAD + "\n".join(lines) + "\n")
    done = check(tmp_path)
    assert places(done.stdout) == [("program.py:5", "unused-ignore"), ("program.py:6", "unused-ignore")]
    assert "with the code array-dtype" in done.stdout
    assert done.stdout.endswith("Found 2 warnings in 1 file (checked 1 source file)\n")
    assert check(tmp_path, "program.py").returncode == 0, "callers may be missing"
    assert check(tmp_path, "--ignore", "unused-ignore").returncode == 0
    (tmp_path / "pyproject.toml").write_text('[tool.jaxtyping_core.rules]\nunused-ignore = "off"\n')
    assert check(tmp_path).returncode == 0
    # A comment for what the settings switch off is in use.
    (tmp_path / "pyproject.toml").write_text('[tool.jaxtyping_core.rules]\narray-shape = "off"\n')
    assert "array-shape" not in check(tmp_path).stdout


def test_what_is_not_evaluated_has_no_idle_comments(check: Check, tmp_path: Path) -> None:
    write(tmp_path, program=f"import haiku\n{HEAD}x + x  # jaxtyping: ignore\n")
    done = check(tmp_path)
    is_missing = "haiku is not installed" in done.stderr
    assert places(done.stdout) == ([] if is_missing else [("program.py:6", "unused-ignore")])


def test_a_comment_at_a_decorator_is_not_for_the_file(tmp_path: Path) -> None:
    text = "@f  # jaxtyping: ignore[array-shape]\ndef g(): ...\nx = 1\n"
    ignored = Ignored(tmp_path / "program.py", text)
    assert (ignored.by(1, "array-shape"), ignored.by(3, "array-shape")) == (1, None)
