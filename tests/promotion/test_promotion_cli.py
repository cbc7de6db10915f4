"""The command line."""

import itertools
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import jaxtyping_core
from jaxtyping_core.cli.app import app
from jaxtyping_core.cli.promotion import CODES
from jaxtyping_core.promotion import find, resolve
from jaxtyping_core.systems import SYSTEMS

MARKED = "!"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(
        app, [str(argument) for argument in arguments], env={"JAX_ENABLE_X64": None, "NO_COLOR": "1"}
    )


def assert_one_line(result: Result, status: int, *parts: str) -> None:
    assert result.exit_code == status, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("jaxtyping-core: ")
    assert result.stderr.count("\n") == 1
    assert all(part in result.stderr for part in parts), result.stderr


@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        ("int8 float16", "float16"),
        ("int8 float16 --system torch", "float16"),
        ("int32 float16 --system numpy", "float64"),
        ("int64 uint32 --no-x64", "int32"),
        ("int64 uint32 --x64", "int64"),
        ("int32 weak_float --no-x64", "float32 (weak)"),
        ("uint64 int32 --x64", "float64 (weak)"),
        ("int8 uint8 float16 --system numpy", "float16"),
    ],
)
def test_promote(arguments: str, output: str) -> None:
    result = run("promote", *arguments.split())
    assert (result.exit_code, result.output) == (0, output + "\n")


def test_operands_without_a_common_dtype() -> None:
    result = run("promote", "int8", "float16", "--system", "lax")
    assert_one_line(result, 1, "'int8' and 'float16'", "'lax'", "x.astype('float16')")


def test_unknown_names() -> None:
    assert_one_line(run("promote", "flaot32", "int8"), 2, "unknown dtype 'flaot32'", "'float32'")
    assert_one_line(
        run("promote", "int8", "int8", "--system", "trch"), 2, "unknown promotion system 'trch'", "'torch'"
    )
    assert_one_line(run("table", "--diff", "nunpy"), 2, "'nunpy'", "'numpy'")
    assert_one_line(run("lattice", "--output", "x.svg", "--system", "jaks"), 2, "'jaks'", "'jax'")


def cells(table: str) -> dict[tuple[str, str], str]:
    """The cells of a printed table, by the codes of row and column, marks included."""
    header, *rows = table.split("\n\n")[0].splitlines()
    columns = header.split()
    return {
        (row[:5].strip(), column): row[start : start + 5].strip()
        for row in rows
        for column, start in zip(columns, itertools.count(5, 5), strict=False)
    }


@pytest.mark.parametrize("x64", ["--x64", "--no-x64"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_table(system: str, x64: str) -> None:
    result = run("table", "--system", system, x64)
    assert result.exit_code == 0
    assert max(map(len, result.output.splitlines())) <= 100
    printed = cells(result.output)
    assert len(printed) == 18 * 18
    for a, b in itertools.product(CODES, repeat=2):
        node = find((a, b), system, x64 == "--x64")
        assert printed[CODES[a], CODES[b]] == (CODES[node] if node else "-")


def test_diff_marks_the_cells_without_colour() -> None:
    result = run("table", "--x64", "--diff", "numpy")
    assert max(map(len, result.output.splitlines())) <= 100
    marked = {pair for pair, cell in cells(result.output).items() if cell.startswith(MARKED)}
    expected = set()
    for a, b in itertools.product(CODES, repeat=2):
        ours, theirs = (
            node and resolve(node, True) for node in (find((a, b), name, True) for name in ("jax", "numpy"))
        )
        if ours != theirs:
            expected.add((CODES[a], CODES[b]))
    assert marked == expected
    assert ("i32", "f32") in marked and ("i*", "i*") not in marked
    assert f"! marks the {len(expected)} of 324 cells where numpy has another dtype." in result.output


@pytest.mark.parametrize(("suffix", "start"), [(".svg", b"<?xml"), (".png", b"\x89PNG")])
def test_lattice(tmp_path: Path, suffix: str, start: bytes) -> None:
    pytest.importorskip("matplotlib", reason="the extra 'plot' is not installed")
    pytest.importorskip("networkx", reason="the extra 'plot' is not installed")
    output = tmp_path / f"lattice{suffix}"
    assert run("lattice", "--output", output).exit_code == 0
    assert output.read_bytes().startswith(start)
    assert list(tmp_path.iterdir()) == [output]
    before = output.read_bytes()
    assert run("lattice", "--output", output).exit_code == 0
    assert output.read_bytes() == before


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_can_be_drawn(tmp_path: Path, system: str) -> None:
    pytest.importorskip("matplotlib", reason="the extra 'plot' is not installed")
    pytest.importorskip("networkx", reason="the extra 'plot' is not installed")
    output = tmp_path / "lattice.svg"
    assert run("lattice", "--system", system, "--output", output).exit_code == 0
    assert output.read_text().count("<use") >= len(SYSTEMS[system].orders[False].edges.keys() & CODES.keys())


def test_a_picture_that_cannot_be_written(tmp_path: Path) -> None:
    assert_one_line(run("lattice", "--output", "lattice.pdf"), 2, "cannot draw 'lattice.pdf'", ".svg or .png")
    pytest.importorskip("matplotlib", reason="the extra 'plot' is not installed")
    pytest.importorskip("networkx", reason="the extra 'plot' is not installed")
    assert_one_line(
        run("lattice", "--output", tmp_path / "missing" / "x.svg"), 2, "cannot write", "No such file"
    )
    folder = tmp_path / "folder.svg"
    folder.mkdir()
    assert_one_line(run("lattice", "--output", folder), 2, "cannot write", "directory")
    assert list(tmp_path.iterdir()) == [folder]


@pytest.mark.parametrize("module", ["matplotlib", "networkx"])
def test_drawing_without_its_extra(tmp_path: Path, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib", reason="the extra 'plot' is not installed")
    monkeypatch.setitem(sys.modules, module, None)
    assert_one_line(
        run("lattice", "--output", tmp_path / "x.svg"), 2, module, "pip install 'jaxtyping-core[plot]'"
    )
    assert list(tmp_path.iterdir()) == []


def test_version_and_help() -> None:
    assert run("--version").output == f"jaxtyping-core {jaxtyping_core.__version__}\n"
    assert {"promote", "table", "lattice"} <= set(run("--help").output.split())


def test_as_a_program() -> None:
    """One real process: status, streams, and no JAX behind a simple question."""
    code = "import sys; from jaxtyping_core.cli import main; sys.argv[0] = 'jaxtyping-core'; main()"
    environment = {key: value for key, value in os.environ.items() if key != "JAX_ENABLE_X64"}

    def program(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-X", "importtime", "-c", code, *arguments]
        return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)

    answer = program("promote", "int8", "float16")
    assert (answer.returncode, answer.stdout) == (0, "float16\n")
    imported = {line.rsplit("|", 1)[-1].strip() for line in answer.stderr.splitlines()}
    assert "jaxtyping_core.promotion" in imported
    assert not {"jax", "numpy"} & imported
    wrong = program("promote", "int8", "flaot32")
    assert wrong.returncode == 2
    assert "unknown dtype 'flaot32'" in wrong.stderr and "Traceback" not in wrong.stderr
