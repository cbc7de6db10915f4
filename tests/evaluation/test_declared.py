"""What a program's annotations declare of arrays is compared with what its calls pass, and what comes of them."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from jaxtyping_core.programs.evaluate import evaluate_programs
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings

FOLDER = Path(__file__).parent / "declared"
SAYS = re.compile(r"# says: (.*)$")
NEEDS = {"with_type_parameters": (3, 12)}


def refusals(file: Path) -> dict[int, list[str]]:
    """What is said of a program, by its lines."""
    settings = Settings()
    report = evaluate_programs(collect([file], settings.trusted), settings, sys.executable)
    assert not report.incomplete, report.notes
    messages: dict[int, list[str]] = {}
    for refusal in report.refusals:
        messages.setdefault(refusal.line, []).append(refusal.message)
    return messages


@pytest.mark.parametrize("name", sorted(file.stem for file in FOLDER.glob("*.py")))
def test_contradictions_are_told_where_they_are(name: str) -> None:
    if sys.version_info < NEEDS.get(name, (3, 11)):
        pytest.skip("type parameters are syntax of Python 3.12")
    file = FOLDER / f"{name}.py"
    expected = {
        number: match[1]
        for number, line in enumerate(file.read_text().splitlines(), 1)
        if (match := SAYS.search(line))
    }
    messages = refusals(file)
    missing = {
        number: text
        for number, text in expected.items()
        if not any(text in said for said in messages.get(number, []))
    }
    assert missing == {}, messages
    assert {number: said for number, said in messages.items() if number not in expected} == {}


def test_the_example_of_the_docs(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "jaxtyping.md").read_text()
    program, said = re.findall(
        r'```python title="fit.py"\n(.*?)```.*?\nfit.py:(.*?)  \[array-shape\]', page, re.DOTALL
    )[0]
    (tmp_path / "fit.py").write_text(program)
    lines = [
        f"{line}: error: {text}" for line, texts in refusals(tmp_path / "fit.py").items() for text in texts
    ]
    assert lines == [said]


def test_expressions_in_annotations_are_walked_and_not_run(tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    run = f"__import__('pathlib').Path({str(marker)!r}).touch()"
    file = tmp_path / "hostile.py"
    file.write_text(
        "import dataclasses\nimport jax.numpy as jnp\nfrom jaxtyping import Array, Float\n"
        f'def braces(x: Float[Array, "{{{run}}}"]) -> None: ...\n'
        f'def text(x: "{run}") -> None: ...\n'
        f'@dataclasses.dataclass\nclass Field:\n    x: "{run}"\n'
        "braces(jnp.ones(3))\ntext(jnp.ones(3))\nField(jnp.ones(3))\n"
    )
    assert refusals(file) == {}
    assert not marker.exists()
