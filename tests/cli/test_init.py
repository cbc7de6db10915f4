"""``jaxtyping-core init``: what it writes, and what it refuses."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jaxtyping_core import settings, settings_table
from jaxtyping_core.cli.app import app

REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "settings.md"
ROW = re.compile(r"^\| \[`([\w-]+)`\]\(#[\w-]+\) \| [^|]+ \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["init", *map(str, arguments)], env={"NO_COLOR": "1"})


def test_a_new_file(tmp_path: Path) -> None:
    done = run(tmp_path)
    assert done.exit_code == 0, done.output
    text = (tmp_path / "pyproject.toml").read_text()
    assert done.stdout == f"Wrote the table [tool.jaxtyping_core] to {tmp_path / 'pyproject.toml'}\n"
    assert tomllib.loads(text) == {"tool": {"jaxtyping_core": {}}}
    assert settings.load(tmp_path) == settings.Settings(x64=settings.x64_of_environment())


def test_each_line_is_a_setting_with_its_default(tmp_path: Path) -> None:
    run(tmp_path)
    file = tmp_path / "pyproject.toml"
    lines = [line for line in file.read_text().splitlines() if not line.startswith("# baseline")]
    file.write_text("\n".join(line.removeprefix("# ") if " = " in line else line for line in lines))
    (table,) = tomllib.loads(file.read_text())["tool"].values()
    assert [*table] == [key for key in settings_table.MEANINGS if key != "baseline"]
    assert settings.load(tmp_path) == settings.Settings()


def test_every_setting_has_a_line() -> None:
    assert settings_table.MEANINGS.keys() == settings.KEYS.keys()


def test_the_reference_says_the_same() -> None:
    rows = {key: meaning for key, _, meaning in ROW.findall(REFERENCE.read_text())}
    plain = {key: re.sub(r"\[(.*?)\]\(.*?\)", r"\1", meaning) for key, meaning in rows.items()}
    assert plain == {key: meaning for key, (_, meaning) in settings_table.MEANINGS.items()}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_rest_of_the_file_stays(tmp_path: Path, end: str) -> None:
    file = tmp_path / "pyproject.toml"
    before = f"# mine{end}[project]{end}name = 'a' # b{end}"
    file.write_bytes(before.encode())
    file.chmod(0o640)
    assert run(tmp_path).exit_code == 0
    after = file.read_bytes().decode()
    assert after.startswith(before + end)
    assert after.count("\n") == after.count(end)
    assert file.stat().st_mode & 0o777 == 0o640
    assert tomllib.loads(after)["project"] == {"name": "a"}


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"[tool.jaxtyping_core]\nx64 = true\n", "is there already, so nothing was written"),
        (b"tool = {a = 1}\n", "cannot add [tool.jaxtyping_core]"),
        (b"[tool\n", "cannot add [tool.jaxtyping_core]"),
        (b"tool = 1\n", "cannot add [tool.jaxtyping_core]"),
        (b"\xff\n", "the file is not UTF-8"),
    ],
)
def test_what_is_refused(tmp_path: Path, content: bytes, part: str) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_bytes(content)
    done = run(tmp_path)
    assert done.exit_code == 2
    assert part in done.stderr
    assert done.stderr.count("\n") == 1
    assert file.read_bytes() == content
    assert [*tmp_path.iterdir()] == [file]


def test_no_folder(tmp_path: Path) -> None:
    done = run(tmp_path / "none")
    assert done.exit_code == 2
    assert "no such folder" in done.stderr
