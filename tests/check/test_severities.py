"""The severities of findings: by their codes, and as a project's settings have them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from check_command import Check, assert_refused, write
from jaxtyping_core import severities
from jaxtyping_core.checking.formats import LINES
from jaxtyping_core.evaluation.protocol import CODES
from jaxtyping_core.programs.report import Refusal

pytestmark = pytest.mark.one_python  # no matter of Python or JAX

PROGRAM = """\
import jax.numpy as jnp

jnp.ones((3, 4)) + jnp.ones((3, 5))
jnp.ones((3, 4)) & 1
"""
INSIDE = """\
import jax.numpy as jnp


def f():
    x = jnp.ones((3, 4))
    x + jnp.ones((3, 5))
    x & 1


f()
"""


def rules(folder: Path, **said: str) -> None:
    """Write a project's settings."""
    lines = [f'{code.replace("_", "-")} = "{severity}"' for code, severity in said.items()]
    (folder / "pyproject.toml").write_text("\n".join(["[tool.jaxtyping_core.rules]", *lines, ""]))


@pytest.fixture
def program(tmp_path: Path) -> Path:
    write(tmp_path, program=PROGRAM)
    return tmp_path


def test_each_code_has_a_severity() -> None:
    assert set(severities.DEFAULTS) == {*CODES.values(), severities.UNUSED}
    assert set(severities.DEFAULTS.values()) <= set(severities.SEVERITIES)


def test_what_may_be_meant_is_less_grave() -> None:
    kind, code = "nan-perhaps", "nan-gradient"
    assert severities.known(())[code] == "warning" and severities.known(())[kind] == "info"
    assert severities.printed(())[kind] == "off"
    assert severities.printed([(code, "warning")])[kind] == "info"
    assert severities.known([(code, "error")])[kind] == "info"
    assert severities.known([(code, "off")])[kind] == "off"


def test_a_warning(check: Check, program: Path) -> None:
    rules(program, array_shape="warning")
    done = check(program, "program.py")
    first, second, last = done.stdout.splitlines()
    assert first.startswith("program.py:3: warning: ") and first.endswith("  [array-shape]")
    assert second.startswith("program.py:4: error: ") and second.endswith("  [array-dtype]")
    assert last == "Found 1 error and 1 warning in 1 file (checked 1 source file)"
    assert done.returncode == 1
    rules(program, array_shape="warning", array_dtype="off")
    done = check(program, "program.py")
    assert done.stdout.endswith("Found 1 warning in 1 file (checked 1 source file)\n")
    assert done.returncode == 1


def test_information_is_no_failure(check: Check, program: Path) -> None:
    rules(program, array_shape="info", array_dtype="info")
    done = check(program, "program.py")
    assert [line.split(": ")[1] for line in done.stdout.splitlines()[:-1]] == ["info", "info"]
    assert done.stdout.endswith("Found 2 info messages in 1 file (checked 1 source file)\n")
    assert done.returncode == 0


def test_information_is_printed_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(severities, "DEFAULTS", {**severities.DEFAULTS, "donated": "info"})
    assert severities.known(())["donated"] == "info"
    assert severities.printed(())["donated"] == "off"
    assert severities.printed([("donated", "info")])["donated"] == "info"


def test_off(check: Check, program: Path) -> None:
    rules(program, array_shape="off", array_dtype="off")
    done = check(program, "program.py")
    assert done.stdout == "Success: no issues found in 1 source file\n"
    assert done.returncode == 0


def test_a_file_that_is_named_comes_first(check: Check, program: Path) -> None:
    rules(program, array_shape="warning", array_dtype="off")
    other = program / "other"
    other.mkdir()
    rules(other, array_shape="off", array_dtype="off")
    done = check(program, "--config-file", str(other / "pyproject.toml"), "program.py")
    assert (done.stdout, done.returncode) == ("Success: no issues found in 1 source file\n", 0)


def test_every_format_has_them(check: Check, program: Path) -> None:
    rules(program, array_shape="warning", array_dtype="info")
    outputs = {
        form: check(program, "program.py", "--output-format", form).stdout.splitlines() for form in LINES
    }
    assert [json.loads(line)["severity"] for line in outputs["json"]] == ["warning", "info"]
    assert [line.split(" ")[0] for line in outputs["github"]] == ["::warning", "::notice"]
    assert [line.split(": ")[1] for line in outputs["concise"]] == ["warning", "info"]
    assert all(line.endswith("]") for line in outputs["concise"])


def test_with_mypy(check_with_mypy: Check, program: Path) -> None:
    """The plugin's own messages are mypy's errors; what the evaluation adds has its severity."""
    write(program, inside=INSIDE)
    for severity, status in {"warning": 1, "info": 0}.items():
        rules(program, array_shape=severity, array_dtype=severity)
        done = check_with_mypy(program, "inside.py")
        told = [line.split(": ")[1] for line in done.stdout.splitlines() if "  [" in line]
        assert told == [severity, severity], done.stdout
        assert done.returncode == status
    rules(program, array_shape="off", array_dtype="off")
    assert check_with_mypy(program, "inside.py").returncode == 0


def test_all_of_a_line_are_reported(check: Check, tmp_path: Path) -> None:
    write(tmp_path, program=PROGRAM.replace("5))\n", "5)), "))
    rules(tmp_path, array_shape="warning")
    done = check(tmp_path, "program.py")
    reported = [line.split(": ")[1] for line in done.stdout.splitlines()[:-1]]
    assert reported == ["warning", "error"]


def test_order() -> None:
    each = [Refusal("a.py", 1, 0, kind, "") for kind in ("donated", "shape", "dtype")]
    table = severities.known([("donated", "info"), ("array-shape", "warning")])
    assert [refusal.kind for refusal in severities.graded(each, table)] == ["dtype", "shape", "donated"]


WIDENED = "import jax.numpy as jnp\n\nx = jnp.ones(3, jnp.bfloat16) * jnp.ones(3)\n"


def test_files_of_low_precision(check: Check, tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    write(tmp_path / "model", inner=WIDENED)
    write(tmp_path, outer=WIDENED)
    settings = tmp_path / "pyproject.toml"
    settings.write_text('[tool.jaxtyping_core]\nlow-precision = ["model"]\n')
    done = check(tmp_path, ".")
    assert [line.split(": ")[:2] for line in done.stdout.splitlines()[:-1]] == [
        ["model/inner.py:3", "warning"]
    ]
    assert done.returncode == 1
    settings.write_text(settings.read_text() + '[tool.jaxtyping_core.rules]\nwidening = "info"\n')
    done = check(tmp_path, ".")
    assert [line.split(": ")[1] for line in done.stdout.splitlines()[:-1]] == ["info", "info"]
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            '[tool.jaxtyping_core]\nlow-precision = ["modle"]',
            ["low-precision: ", "modle: no such file or folder"],
        ),
        (
            "[tool.jaxtyping_core]\nlow-precision = [3]",
            ["low-precision must be a list of files and folders", "not [3]"],
        ),
        (
            '[tool.jaxtyping_core.rules]\narray-shap = "off"',
            ["unknown code in rules: 'array-shap'", "'array-shape'"],
        ),
        (
            '[tool.jaxtyping_core.rules]\ndonated = "warn"',
            ["unknown severity of donated: 'warn'", "'warning'"],
        ),
        ("[tool.jaxtyping_core.rules]\ndonated = false", ["unknown severity of donated: 'False'", "'off'"]),
        ("[tool.jaxtyping_core]\nrules = 3", ["rules must be a table of codes and severities", "not 3"]),
    ],
)
def test_misspelt(check: Check, program: Path, text: str, words: list[str]) -> None:
    (program / "pyproject.toml").write_text(text)
    assert_refused(check(program, "program.py"), *words)


def test_a_section_of_mypy(check: Check, program: Path) -> None:
    (program / ".git").mkdir()
    (program / "mypy.ini").write_text(
        "[mypy]\n\n[jaxtyping_core.rules]\narray-shape = off\narray-dtype = warning\n"
    )
    done = check(program, "program.py")
    assert [line.split(": ")[1] for line in done.stdout.splitlines()[:-1]] == ["warning"]
