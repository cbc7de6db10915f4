"""`check` and `show` of notebooks: the cells of one are a program, and places are those of cells."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given as hypothesis_given
from hypothesis import strategies as st

from jaxtyping_core.cli.app import app
from jaxtyping_core.errors import CommandError
from jaxtyping_core.programs import notebooks
from jaxtyping_core.programs.files import python_files
from jaxtyping_core.user import CACHE_VARIABLE

CELLS = (
    "# Training",
    "%matplotlib inline\n!pip install optax\nimport jax.numpy as jnp",
    'def predict(params, x):\n    return jnp.tanh(x @ params["w"])',
    '%%time\nparams = {"w": jnp.ones((4, 3))}\nx = jnp.ones((8, 4))\ny = predict(params, x)',
    "%%bash\nrm -rf build",
    "z = jnp.ones(3)\npredict(params, y)\njnp.ones(2) + jnp.ones(3)  # jaxtyping: ignore",
)
PLACE, CALL = "train.ipynb:cell 3:2", "train.ipynb:cell 6:2"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a notebook."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / ".answers"))
    write(tmp_path / "train.ipynb", CELLS)
    return tmp_path


def write(file: Path, cells: Sequence[str], as_lines: bool = True, **other: Any) -> None:
    """Write a notebook, whose first cell is text."""
    document = {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {"kernelspec": {"language": "python"}},
        "cells": [
            {
                "cell_type": "code" if number else "markdown",
                "source": source.splitlines(keepends=True) if as_lines else source,
            }
            for number, source in enumerate(cells)
        ],
    }
    file.write_text(json.dumps(document | other))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


@pytest.mark.parametrize("path", ["train.ipynb", "."])
def test_check_names_cells(path: str) -> None:
    result = run("check", path)
    assert result.exit_code == 1
    error, note, *rest = result.stdout.splitlines()
    assert error.startswith(f"{PLACE}: error: ") and error.endswith("[array-shape]")
    assert note == f"{PLACE}: note: called from {CALL} with x: float32[8, 3]"
    assert rest == ["Found 1 error in 1 file (checked 1 source file)"]


def test_findings_are_in_the_order_of_cells(folder: Path) -> None:
    cells = ["# Sums", "import jax.numpy as jnp", *(f"jnp.ones(2) + jnp.ones({n})" for n in range(3, 13))]
    write(folder / "sums.ipynb", cells)
    result = run("check", "sums.ipynb", "--output-format", "concise")
    places = [line.split(": ")[0] for line in result.stdout.splitlines() if "array-shape" in line]
    assert places == [f"sums.ipynb:cell {number}:1:1" for number in range(3, 13)]


def test_an_earlier_line_is_in_its_cell(folder: Path) -> None:
    use = "\na = jax.random.normal(key)"
    write(
        folder / "train.ipynb", ["# Keys", "import jax\nkey = jax.random.key(0)", f"# draw{use}", f"1{use}"]
    )
    warning, note, _ = run("check", "train.ipynb").stdout.splitlines()
    assert warning.startswith("train.ipynb:cell 4:2: warning: this key was already used")
    assert note == "train.ipynb:cell 3:2: note: the key is used here"
    log = json.loads(run("check", "train.ipynb", "--output-format", "sarif").stdout)
    (related,) = log["runs"][0]["results"][0]["relatedLocations"]
    assert related["physicalLocation"]["region"] == {"startLine": 2}


def test_a_source_may_be_one_text(folder: Path) -> None:
    before = run("check", "train.ipynb").stdout
    write(folder / "train.ipynb", CELLS, as_lines=False)
    assert run("check", "train.ipynb").stdout == before


def test_an_unused_comment_is_in_its_cell(folder: Path) -> None:
    write(folder / "train.ipynb", [*CELLS[:-1], "x = jnp.ones(2)\nx + 1  # jaxtyping: ignore"])
    assert "train.ipynb:cell 6:2: warning: the comment silences no error" in run("check", ".").stdout


def test_show_shows_each_cell() -> None:
    result = run("show", "train.ipynb")
    assert result.exit_code == 0
    names = [line for line in result.stdout.splitlines() if line.startswith("train.ipynb")]
    assert names == [f"train.ipynb:cell {number}" for number in (2, 3, 4, 5, 6)]
    assert "3  x = jnp.ones((8, 4))    x: float32[8, 4]" in result.stdout
    assert "%matplotlib inline" in result.stdout
    assert f"called from {CALL}" in result.stdout
    records = [
        json.loads(line) for line in run("show", "train.ipynb", "--output-format", "json").stdout.splitlines()
    ]
    places = {
        (record["file"], place["line"], place["name"]) for record in records for place in record["places"]
    }
    assert ("train.ipynb:cell 4", 3, "x") in places


def test_formats() -> None:
    (concise, _) = run("check", "train.ipynb", "--output-format", "concise").stdout.splitlines()
    assert concise.startswith(f"{PLACE}:21: error: ")
    (github,) = run("check", "train.ipynb", "--output-format", "github").stdout.splitlines()
    assert github.startswith("::error file=train.ipynb,line=2,") and "::cell 3, line 2: " in github
    (issue,) = json.loads(run("check", "train.ipynb", "--output-format", "gitlab").stdout)
    assert issue["location"]["path"] == "train.ipynb"
    log = json.loads(run("check", "train.ipynb", "--output-format", "sarif").stdout)
    (found_by_sarif,) = log["runs"][0]["results"]
    location = found_by_sarif["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "train.ipynb"
    assert location["region"] == {"startLine": 2, "startColumn": 21, "endLine": 2, "endColumn": 36}


def test_a_baseline_survives_a_new_cell(folder: Path) -> None:
    assert run("check", "train.ipynb", "--write-baseline", "known.json").exit_code == 0
    before = json.loads(run("check", "train.ipynb", "--output-format", "gitlab").stdout)
    write(folder / "train.ipynb", [*CELLS[:2], "import jax", *CELLS[2:]])
    assert run("check", "train.ipynb", "--baseline", "known.json").exit_code == 0
    after = json.loads(run("check", "train.ipynb", "--output-format", "gitlab").stdout)
    assert [each["fingerprint"] for each in before] == [each["fingerprint"] for each in after]


def test_notebooks_are_not_changed(folder: Path) -> None:
    before = (folder / "train.ipynb").read_bytes()
    result = run("check", "--add-ignores", "train.ipynb")
    assert result.exit_code == 2
    assert "train.ipynb: --add-ignores changes no notebooks" in result.stderr
    assert (folder / "train.ipynb").read_bytes() == before


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "it is not a valid notebook: JSONDecodeError"),
        ("[]", "it is not a valid notebook: TypeError"),
        (
            '{"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "code"}]}',
            "it is not a valid notebook: KeyError",
        ),
        (
            '{"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "code", "source": [1]}]}',
            "it is not a valid notebook: TypeError",
        ),
        (
            '{"nbformat": 3, "metadata": {}, "worksheets": []}',
            "the format of the notebook is 3, and 4 is read",
        ),
        (
            '{"nbformat": 4, "metadata": {"kernelspec": {"language": "R"}}, "cells": []}',
            "the notebook is written in r, not in Python",
        ),
        ("[" * 100_000, "it is not a valid notebook: RecursionError"),
    ],
)
@pytest.mark.parametrize("command", ["check", "show"])
def test_what_is_no_notebook_of_python(folder: Path, command: str, content: str, reason: str) -> None:
    (folder / "other.ipynb").write_text(content)
    result = run(command, "other.ipynb")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"jaxtyping-core: other.ipynb: {reason}")
    # In a folder it is none of the project's programs.
    assert f"{PLACE}: error: " in run("check", ".").stdout


def test_what_reads_no_notebooks() -> None:
    result = run("check", "--mypy", "train.ipynb")
    assert result.exit_code == 2
    assert "train.ipynb is a notebook, which mypy does not read; convert it with `jupytext" in result.stderr
    with pytest.raises(CommandError, match="is a notebook, which annotate does not read"):
        python_files([Path("train.ipynb")])
    with pytest.raises(CommandError, match=r"the folder has no \.py files"):
        python_files([Path()])


@hypothesis_given(
    st.lists(st.lists(st.sampled_from(["x = 1", "", "%time f()", "!ls"]), max_size=4), max_size=5)
)
def test_places_are_those_of_cells(
    tmp_path_factory: pytest.TempPathFactory, written: list[list[str]]
) -> None:
    file = tmp_path_factory.mktemp("book") / "book.ipynb"
    sources = ["\n".join(lines) for lines in written]
    write(file, ["text", *sources])
    notebooks._kept.cache_clear()
    lines = notebooks.program_of(file.read_bytes()).split("\n")
    cells = notebooks.by_cell(str(file))
    assert [*cells.values()] == sources
    for number, line in enumerate(lines if sources else [], 1):
        name, inside = notebooks.place(str(file), number)
        as_written = cells[name].split("\n")[inside - 1]
        assert line in (as_written, "pass", "")
        assert notebooks.file_of(name) == str(file)
