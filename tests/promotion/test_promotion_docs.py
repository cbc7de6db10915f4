"""The examples in the guide and in the docstrings give what they say."""

import doctest
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jaxtyping_core import lattice, promotion
from jaxtyping_core.cli import promotion as commands
from jaxtyping_core.cli.app import app

GUIDE = Path(__file__).parents[2] / "docs" / "promotion.md"
COMMANDS = re.findall(r"^\$ jaxtyping-core (.*)\n((?:(?!\$|```).*\n)*)", GUIDE.read_text(), re.MULTILINE)


@pytest.fixture(autouse=True)
def without_x64(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (promotion, commands):
        monkeypatch.setattr(module, "x64_enabled", lambda: False)


def test_the_guide() -> None:
    result = doctest.testfile(str(GUIDE), module_relative=False)
    assert result.attempted > 15
    assert result.failed == 0


@pytest.mark.parametrize("module", [lattice, promotion])
def test_docstrings(module) -> None:
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize(("command", "output"), COMMANDS)
def test_commands_in_the_guide(
    command: str, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if command.startswith("lattice"):
        pytest.importorskip("networkx", reason="the extra 'plot' is not installed")
    result = CliRunner().invoke(app, command.split(), env={"JAX_ENABLE_X64": None, "NO_COLOR": "1"})
    assert result.output == output
