"""What one command has evaluated, the next finds kept: `check`, `show` and the language server ask in the same way."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from jaxtyping_core.cli.app import app
from jaxtyping_core.evaluation import client
from jaxtyping_core.lsp.analysis import Analyst
from jaxtyping_core.lsp.records import Request
from jaxtyping_core.programs.evaluate import evaluate_programs
from jaxtyping_core.programs.report import Report
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings
from jaxtyping_core.user import CACHE_VARIABLE

MODEL = """\
import jax.numpy as jnp


def predict(weights, inputs):
    return jnp.tanh(inputs @ weights)
"""
#: A script that imports no library of arrays itself.
SCRIPT = """\
import model
from data import weights

logits = model.predict(weights, weights.T)
print(logits)
"""
DATA = "import jax.numpy as jnp\n\nweights = jnp.ones((3, 4))\n"
OTHER = "import json\n\nsettings = json.loads('{}')\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in the current folder, whose answers are kept in a folder of their own."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("[tool.jaxtyping_core]\n")
    for name, text in {"model": MODEL, "train": SCRIPT, "data": DATA, "other": OTHER}.items():
        (folder / f"{name}.py").write_text(text)
    monkeypatch.chdir(folder)
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "answers"))
    monkeypatch.setattr(client, "_evaluators", {})
    return folder


@pytest.fixture
def evaluate_no_more(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """What forgets the answers that this process has, and refuses to evaluate from now on."""

    def refuse(*_: object) -> None:
        pytest.fail("the program is evaluated again")

    def begin() -> None:
        monkeypatch.setattr(client, "_evaluators", {})
        monkeypatch.setattr(client.Evaluator, "_asked", refuse)

    return begin


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def hints(file: Path) -> list[str]:
    """The names that the server has hints of in a saved file."""
    text = file.read_text()
    (answer,) = Analyst(sys.executable, "evaluate").answers(Request(1, str(file), {str(file): text}))
    return [hint.target for hint in answer.hints]


@pytest.mark.parametrize("path", ["train.py", "model.py", "."])
@pytest.mark.parametrize(("first", "second"), [("check", "show"), ("show", "check")])
def test_commands(
    project: Path, evaluate_no_more: Callable[[], None], path: str, first: str, second: str
) -> None:
    run(first, path)
    evaluate_no_more()
    said = run(second, path)
    assert "float32[4, 4]" in said or "Success" in said


@pytest.mark.parametrize("command", ["check", "show"])
def test_the_server_after_a_command(
    project: Path, evaluate_no_more: Callable[[], None], command: str
) -> None:
    run(command, "train.py")
    evaluate_no_more()
    assert hints(project / "train.py") == ["logits"]


def test_a_command_after_the_server(project: Path, evaluate_no_more: Callable[[], None]) -> None:
    assert hints(project / "model.py") == ["weights", "inputs", "return"]
    evaluate_no_more()
    assert "return: float32[4, 4]" in run("show", "model.py")


def test_another_program_is_evaluated(project: Path, evaluate_no_more: Callable[[], None]) -> None:
    run("check", "train.py")
    evaluate_no_more()
    (project / "data.py").write_text(DATA.replace("4", "5"))
    with pytest.raises(pytest.fail.Exception):
        CliRunner().invoke(app, ["show", "train.py"], catch_exceptions=False)


def _evaluated(seconds: float) -> Report:
    return evaluate_programs([*collect([Path("train.py")], ())], Settings(), seconds=seconds)


def test_a_whole_answer_is_kept_for_every_limit(project: Path, evaluate_no_more: Callable[[], None]) -> None:
    whole = _evaluated(60)
    assert whole.facts and not whole.incomplete
    evaluate_no_more()
    assert _evaluated(20) == whole


def test_an_answer_that_time_cut_off_is_for_its_limit(
    project: Path, evaluate_no_more: Callable[[], None]
) -> None:
    (project / "data.py").write_text(DATA + "count = 1\n" * 3000)  # the time is looked at once in many steps
    assert _evaluated(1e-6).incomplete
    whole = _evaluated(60)
    assert whole.facts and not whole.incomplete
    evaluate_no_more()
    assert _evaluated(60) == whole
