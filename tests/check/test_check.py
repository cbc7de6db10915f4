"""``jaxtyping-core check`` as its users run it, without mypy."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path

import pytest

from check_command import CLEAN, Check, assert_refused, write
from jaxtyping_core.checking import engine, plain
from jaxtyping_core.checking.evaluating import Limits
from jaxtyping_core.checking.records import FORMATS
from jaxtyping_core.cli.consoles import make_console, progress
from jaxtyping_core.libraries import names
from jaxtyping_core.settings import Settings

pytestmark = pytest.mark.one_python  # no matter of Python or JAX

MISTAKE = "import jax.numpy as jnp\n\nx = jnp.ones((3, 4))\nx + jnp.ones((3, 5))\n"
BROKEN = "import jax\nx = (\n"
LINE = re.compile(r"^(\S+): error: .*  \[([\w-]+)\]$", re.MULTILINE)


def test_a_clean_program(check: Check, tmp_path: Path) -> None:
    write(tmp_path, clean=CLEAN)
    done = check(tmp_path, "clean.py")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "Success: no issues found in 1 source file\n"


def test_mistakes_are_in_the_order_of_files_and_lines(check: Check, tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    write(tmp_path, second=MISTAKE, first=f"{MISTAKE}x & 1\n", clean=CLEAN, plain="x = 1\n")
    write(tmp_path / "below", third=MISTAKE)
    expected = ["below/third.py:4", "first.py:4", "first.py:5", "second.py:4"]
    for arguments in ((), (".",), ("second.py", "first.py", "clean.py", "below")):
        done = check(tmp_path, *arguments)
        assert [place for place, _ in LINE.findall(done.stdout)] == expected, done.stdout
        assert done.stdout.endswith("Found 4 errors in 3 files (checked 4 source files)\n")
        assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize("module", ["mypy", "tomlkit"])
@pytest.mark.parametrize("configuration", ["", "[tool.mypy]\nstrict = true\n"])
def test_mypy_is_not_needed(check: Check, tmp_path: Path, module: str, configuration: str) -> None:
    write(tmp_path, mistake=MISTAKE)
    (tmp_path / "pyproject.toml").write_text(configuration)
    hidden = tmp_path / ".hidden"
    hidden.mkdir()
    write(hidden, sitecustomize=f"import sys\nsys.modules[{module!r}] = None\n")
    done = check(tmp_path, PYTHONPATH=str(hidden))
    assert LINE.findall(done.stdout) == [("mistake.py:4", "array-shape")]
    assert (done.returncode, done.stderr) == (1, "")


IGNORING = """\
import jax.numpy as jnp

x = jnp.ones((3, 4))
y = jnp.ones((3, 5))
x + y  # type: ignore
x + y  # type: ignore[array-shape]
x + y  # jaxtyping: ignore
x + y  # noqa: B018  # jaxtyping: ignore[array-dtype, array-shape]
x + y  # type: ignore[array-dtype]
x + y  # jaxtyping: ignore[array-dtype]
x + y  # jaxtyping: ignored by nobody
z = (
    x + y
)  # type: ignore
z = (  # jaxtyping: ignore
    x + y
)
"""


def test_comments_ignore_errors(check: Check, tmp_path: Path) -> None:
    write(tmp_path, ignoring=IGNORING)
    done = check(tmp_path, "ignoring.py")
    assert [place for place, _ in LINE.findall(done.stdout)] == [
        f"ignoring.py:{line}" for line in (9, 10, 11, 13)
    ]


@pytest.mark.parametrize(
    "comment",
    [
        *("# mypy: ignore-errors", '# mypy: disable-error-code="array-shape"', "# type: ignore"),
        *("# jaxtyping: ignore", "# jaxtyping: ignore[array-shape]"),
    ],
)
def test_comments_ignore_the_errors_of_a_file(check: Check, tmp_path: Path, comment: str) -> None:
    write(tmp_path, program=f"{comment}\n{MISTAKE}")
    done = check(tmp_path, "program.py")
    assert (done.returncode, done.stdout) == (0, "Success: no issues found in 1 source file\n")


def test_an_error_of_another_kind_in_the_line_of_an_ignored_one_is_reported(
    check: Check, tmp_path: Path
) -> None:
    write(
        tmp_path,
        program=MISTAKE.replace("x + ", "x & 1; x + ")
        + "x & 1; x + jnp.ones(5)  # type: ignore[array-dtype]\n",
    )
    done = check(tmp_path, "program.py")
    of_line_4 = [("program.py:4", "array-dtype"), ("program.py:4", "array-shape")]
    assert LINE.findall(done.stdout) == [*of_line_4, ("program.py:5", "array-shape")]


def test_every_format_says_the_same(check: Check, tmp_path: Path) -> None:
    write(tmp_path, broken=BROKEN, mistake=MISTAKE)
    records = [json.loads(line) for line in check(tmp_path, "--output-format", "json").stdout.splitlines()]
    assert [(record["file"], record["line"], record["column"], record["code"]) for record in records] == [
        ("broken.py", 2, None, "syntax"),
        ("mistake.py", 4, 1, "array-shape"),
    ]
    first, second, *notes = check(tmp_path, "--output-format", "concise").stdout.splitlines()
    assert first == "broken.py:2: error: not valid Python: '(' was never closed [syntax]"
    assert second.startswith("mistake.py:4:1: error: ") and second.endswith(" [array-shape]")
    assert notes == ["mistake.py:4:1: note: x: float32[3, 4], assigned at mistake.py:3"]
    done = check(tmp_path, "--output-format", "github")
    assert done.stdout.startswith("::error file=broken.py,line=2,endLine=2,title=syntax::not valid Python")
    assert "::error file=mistake.py,line=4,col=1,endLine=4,endColumn=20,title=array-shape::" in done.stdout
    assert (done.returncode, done.stderr) == (2, "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.py"], "missing.py: no such file"),
        (
            ["--output-format", "xml"],
            "unknown format 'xml'; expected text, concise, json, github, sarif or gitlab",
        ),
        (["empty"], "empty: the folder has no .py and no .ipynb files"),
        (["plain"], "nothing to check: no file in plain imports JAX"),
        (["book.ipynb"], "book.ipynb: it is not a valid notebook: KeyError"),
        (["book.ipynb", "--mypy"], "book.ipynb is a notebook, which mypy does not read; convert it"),
        (
            ["clean.py", "--strict"],
            "`check` has no option --strict; if it is an option of mypy's, add --mypy",
        ),
        (["--exclude=x", "clean.py"], "`check` has no option --exclude; "),
        (["-m", "clean"], "`check` has no option -m; "),
        (["clean.py", "--config-file", "no.ini"], "no.ini: no such configuration file"),
        (["clean.py", "--python", "no_such_python"], "there is no Python 'no_such_python'"),
    ],
)
def test_what_cannot_be_checked(check: Check, tmp_path: Path, arguments: list[str], message: str) -> None:
    write(tmp_path, clean=CLEAN)
    for name in ("empty", "plain"):
        (tmp_path / name).mkdir()
    write(tmp_path / "plain", program="x = 1\n")
    (tmp_path / "book.ipynb").write_text("{}")
    done = check(tmp_path, *arguments)
    assert_refused(done, f"jaxtyping-core: {message}")
    assert done.stdout == ""


def test_a_file_that_is_no_python_is_an_error_of_that_file(check: Check, tmp_path: Path) -> None:
    """The others are checked. Below a folder, a file that has nothing to do with arrays is not looked at."""
    write(tmp_path, broken=BROKEN, mistake=MISTAKE, other="y = (\n")
    (tmp_path / "latin.py").write_bytes(b"import jax\nx = '\xff'\n")
    done = check(tmp_path)
    assert LINE.findall(done.stdout) == [
        ("broken.py:2", "syntax"),
        ("latin.py", "syntax"),
        ("mistake.py:4", "array-shape"),
    ], done.stdout
    assert done.stdout.endswith("Found 3 errors in 3 files (checked 1 source file)\n")
    assert (done.returncode, done.stderr) == (2, "")
    done = check(tmp_path, "other.py")
    assert done.stdout.endswith("Found 1 error in 1 file (errors prevented further checking)\n")
    assert done.returncode == 2


CALLED = {
    "model": "import jax.numpy as jnp\n\n\ndef predict(x):\n    return x @ jnp.ones((5, 6))\n",
    "train": "from model import predict\nimport jax.numpy as jnp\n\npredict(jnp.ones((2, 3)))\n",
}


def test_scripts_that_call_a_file_are_evaluated_with_it(check: Check, tmp_path: Path) -> None:
    """Only what is asked about is reported: the script's own mistakes are not."""
    write(tmp_path, model=CALLED["model"], train=f"{CALLED['train']}jnp.ones(3) + jnp.ones(4)\n")
    done = check(tmp_path, "model.py")
    assert LINE.findall(done.stdout) == [("model.py:5", "array-shape")]
    assert "model.py:5: note: called from train.py:4 with x: float32[2, 3]\n" in done.stdout
    done = check(tmp_path, "train.py")
    assert LINE.findall(done.stdout) == [("model.py:5", "array-shape"), ("train.py:5", "array-shape")]


def test_a_script_in_the_folder_need_not_import_jax(check: Check, tmp_path: Path) -> None:
    run = "import model\n\nif __name__ == '__main__':\n    x = model.make()\n    x @ x\n"
    write(tmp_path, model="import jax.numpy as jnp\n\n\ndef make():\n    return jnp.ones((2, 3))\n", run=run)
    assert LINE.findall(check(tmp_path).stdout) == [("run.py:5", "array-shape")]
    assert check(tmp_path, "model.py").returncode == 0


def test_the_settings_of_the_project(check: Check, tmp_path: Path) -> None:
    """They may be in mypy's own configuration file."""
    write(tmp_path, program="import jax.numpy as jnp\n\njnp.zeros(3) + jnp.arange(3)\n")
    assert check(tmp_path, "program.py").returncode == 0
    for name, text in {
        "pyproject.toml": '[tool.jaxtyping_core]\npromotion = "strict"\n',
        "mypy.ini": "[mypy]\n[jaxtyping_core]\npromotion = strict\n",
        "other.ini": "[jaxtyping_core]\npromotion = strict\n",
    }.items():
        (tmp_path / name).write_text(text)
        named = ["--config-file", name] if name == "other.ini" else []
        done = check(tmp_path, "program.py", *named)
        assert LINE.findall(done.stdout) == [("program.py:3", "array-dtype")], name
        (tmp_path / name).unlink()


def test_what_was_not_evaluated_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, first=CLEAN, second=CLEAN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(engine, "LIMITS", Limits(60.0, -1.0))
    checked = engine.check([Path("first.py"), Path("second.py")], Settings())
    assert (checked.files, checked.is_partial, checked.is_nothing, checked.status) == (2, True, True, 2)
    assert checked.notes == [
        "first.py and second.py were not evaluated: the time limit of 0 s was reached",
        "to evaluate the rest, run the check again",
    ]


LONG = CLEAN + "".join(f"x{n} = jnp.ones(({n + 1}, 4)) @ jnp.ones((4, {n + 2}))\n" for n in range(400))


def test_a_program_that_is_not_evaluated_to_its_end_is_no_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, long=LONG)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(engine, "LIMITS", Limits(0.01, 30.0))
    checked = engine.check([Path("long.py")], Settings())
    assert (checked.is_partial, checked.is_nothing, checked.status) == (True, False, 0)
    plain.show_text(checked, make_console())
    assert checked.notes == ["the evaluation of long.py did not come to its end, so errors may be missing"]
    said = "No issues found, but not everything was evaluated (checked 1 source file)\n"
    assert capsys.readouterr().out == said


def test_colors_are_for_terminals(check: Check, tmp_path: Path) -> None:
    write(tmp_path, mistake=MISTAKE)
    assert "\x1b[" not in check(tmp_path, "mistake.py").stdout
    assert "\x1b[" in check(tmp_path, "mistake.py", FORCE_COLOR="1").stdout
    for arguments, env in {("mistake.py",): {"NO_COLOR": "1"}, ("mistake.py", "--output", "out"): {}}.items():
        assert "\x1b[" not in check(tmp_path, *arguments, FORCE_COLOR="1", **env).stdout
    assert "\x1b[" not in (tmp_path / "out").read_text()


def rows(folder: Path, check: Check, width: int, *lines: str) -> list[str]:
    """What a terminal shows, without its escapes."""
    write(folder, program="\n".join(("import jax.numpy as jnp", *lines, "")))
    told = check(folder, "program.py", FORCE_COLOR="1", COLUMNS=str(width)).stdout
    return [row.rstrip() for row in re.sub(r"\x1b\[[0-9;]*m", "", told).splitlines()]


def test_a_terminal_shows_the_line(check: Check, tmp_path: Path) -> None:
    made = ("x = jnp.ones((3, 4))", "y = jnp.ones((3, 5))")
    shown = rows(tmp_path, check, 80, *made, "if True:", "\tz = '日é', x + y  # why", "(x +", " y)")
    first = next(number for number, row in enumerate(shown) if row.startswith("program.py:5: error"))
    assert shown[first + 1 : first + 5] == [
        "  |",
        "5 |     z = '日é', x + y  # why",
        "  |                ^^^^^",
        "program.py:2: note: x: float32[3, 4] is assigned here",
    ]
    second = next(number for number, row in enumerate(shown) if row.startswith("program.py:6: error"))
    assert shown[second + 1 : second + 4] == ["  |", "6 | (x +", "  |  ^^^"]
    narrow = rows(tmp_path, check, 40, *made, f"{'z = ' * 20}x + y")
    assert not any(row.startswith("4 |") for row in narrow)
    cut = rows(tmp_path, check, 40, *made, f"x + y  # {'long ' * 20}")
    assert next(row for row in cut if row.startswith("4 |")).endswith("\N{HORIZONTAL ELLIPSIS}")


def test_a_program_cannot_command_the_terminal(check: Check, tmp_path: Path) -> None:
    write(tmp_path, program=MISTAKE.replace("x + ", "'\x1b]0;title\x07'; x + "))
    told = check(tmp_path, "program.py", FORCE_COLOR="1").stdout
    assert "4 | " in told and "\x1b]" not in told and "\x07" not in told


def test_progress_names_programs_and_how_many_are_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, first=CLEAN, second=CLEAN)
    monkeypatch.chdir(tmp_path)
    said: list[str] = []
    engine.check([Path()], Settings(), begins=lambda files, left: said.append(progress(files, left).plain))
    assert said == ["Evaluating first.py, 1 left", "Evaluating second.py"]


def test_the_result_in_a_file(check: Check, tmp_path: Path) -> None:
    write(tmp_path, mistake=MISTAKE)
    for form in ("text", *FORMATS):
        printed = check(tmp_path, "mistake.py", "--output-format", form)
        written = check(tmp_path, "mistake.py", "--output-format", form, "--output", "out")
        assert (written.returncode, written.stdout) == (1, "")
        assert (tmp_path / "out").read_text() == printed.stdout
    with_mypy = check(tmp_path, "mistake.py", "--mypy", "--output", "out")
    assert (with_mypy.returncode, with_mypy.stdout) == (1, "")
    assert "mistake.py:4: error: " in (tmp_path / "out").read_text()
    assert_refused(
        check(tmp_path, "mistake.py", "--output", "no/out"), "cannot write 'no/out': there is no folder"
    )


MARKING = "open('marker', 'w')\nprint('it runs')\n"


def test_nothing_of_the_project_is_run(check: Check, tmp_path: Path) -> None:
    """Neither the program, nor modules under the names of what the command and the evaluation import."""
    shadows = ("jaxlib", "json", "ml_dtypes", "click", "rich")
    write(tmp_path, mistake=MARKING + MISTAKE, **dict.fromkeys(shadows, f"{MARKING}raise SystemExit(7)\n"))
    done = check(tmp_path, "mistake.py")
    assert not list(tmp_path.rglob("marker"))
    assert "it runs" not in done.stdout + done.stderr
    assert LINE.findall(done.stdout) == [("mistake.py:6", "array-shape")]


def test_libraries_that_are_not_installed_are_told_once(check: Check, tmp_path: Path) -> None:
    name = next(name for name in names("trusted") if importlib.util.find_spec(name) is None)
    imports = f"import {name}\nimport {name}.more as more\nimport matplotlib.pyplot\n"
    write(tmp_path, clean=f"{imports}{CLEAN}z = more.f({name}.g())\n")
    done = check(tmp_path, "clean.py")
    said = f"{name} is not installed: errors in arrays that come from it are missing"
    assert (done.returncode, done.stderr) == (0, f"jaxtyping-core: {said}\n")
    assert done.stdout.startswith("Success")
