"""The language server evaluates what the user has not said to trust only where the operating system isolates that."""

from __future__ import annotations

from pathlib import Path

import pytest

import without_wall
from jaxtyping_core.evaluation import client
from jaxtyping_core.evaluation.wall import required
from jaxtyping_core.lsp.analysis import Analyst
from jaxtyping_core.lsp.records import Answer, Request

pytestmark = pytest.mark.one_python
PROGRAM = "import jax.numpy as jnp\n\n\ndef f(n):\n    return jnp.ones((n, 4))\n\n\nx = f(3)\n"


@pytest.fixture(params=["no", "evaluate"])
def looked_at(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, list[Answer]]:
    """The setting of trust, and what the server says of the program in the folder."""
    folder = tmp_path / "folder"
    folder.mkdir()
    program = folder / "program.py"
    program.write_text(PROGRAM)
    monkeypatch.chdir(folder)
    monkeypatch.setattr(client, "CHILD", without_wall.write(tmp_path / "child.py"))
    monkeypatch.setattr(client, "_evaluators", {})
    monkeypatch.setattr(required._State, "by_this_process", False)
    monkeypatch.setenv(required.VARIABLE, "")
    analyst = Analyst(None, request.param)
    answers = [*analyst.answers(Request(1, str(program), {str(program): PROGRAM}))]
    for evaluator in client._evaluators.values():
        evaluator.close()
    return request.param, answers


def test_only_what_is_trusted_is_evaluated(looked_at: tuple[str, list[Answer]]) -> None:
    trust, answers = looked_at
    said = "\n".join(complaint for answer in answers for complaint in answer.complaints)
    is_known = any(hint.target == "x" for answer in answers for hint in answer.hints)
    assert is_known == (trust == "evaluate")
    assert (without_wall.REASON in said) == (trust == "no")
    if trust == "no":
        assert 'set jaxtyping-core.trust to "evaluate"' in said
