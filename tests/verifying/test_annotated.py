"""The programs of tests/annotated: right ones are not called wrong, and mistakes in functions are found.

Of a program its functions alone are verified: what it runs at the end would run into the mistake when it is imported.
"""

from __future__ import annotations

import ast
import os
import sys
import tomllib
from pathlib import Path

import jaxtyping
import pytest
from beartype import beartype

from jaxtyping_core.verifying.report import chosen
from jaxtyping_core.verifying.verdicts import Answer, Verification

pytestmark = pytest.mark.one_python  # long, and the same under every Python

ANNOTATED = Path(__file__).parents[1] / "annotated"
EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAMS = {file.stem: file.read_text() for file in sorted((ANNOTATED / "programs").glob("*.py"))}
MISTAKES = tomllib.loads((ANNOTATED / "mistakes.toml").read_text())
UNSTATED = tomllib.loads((Path(__file__).parent / "unstated.toml").read_text())
#: Every so many programs are looked at: all take five minutes, and are where ``ALL_PROGRAMS=1`` is set.
STEP = 1 if os.environ.get("ALL_PROGRAMS") else 23
CHOSEN = tuple(PROGRAMS)[::STEP]
#: Mistakes in functions that are not found; the file has reasons.
MISSED = tomllib.loads((Path(__file__).parent / "missed.toml").read_text())


def functions(text: str) -> str:
    """A program without what it runs below its last function."""
    body = ast.parse(text).body
    kinds = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
    last = max(place for place, node in enumerate(body) if isinstance(node, kinds))
    return "".join(text.splitlines(keepends=True)[: body[last].end_lineno])


def wrong(name: str, text: str, folder: Path) -> set[str]:
    """The functions of a program that are contradicted."""
    file = folder / f"{name}.py"
    file.write_text(text)
    try:
        verdicts = [Verification(subject).verdict() for subject in chosen(str(file))]
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop(name, None)
    return {verdict.subject.name for verdict in verdicts if verdict.answer is Answer.CONTRADICTED}


@pytest.mark.parametrize("name", CHOSEN)
def test_right_programs(name: str, tmp_path: Path) -> None:
    reported = wrong(f"right_{name}", functions(PROGRAMS[name]), tmp_path)
    assert reported <= {key.partition(".")[2] for key in UNSTATED if key.startswith(f"{name}.")}


@pytest.mark.parametrize("name", [name for name in CHOSEN if name not in MISSED])
def test_mistakes(name: str, tmp_path: Path) -> None:
    """A mistake is found where a function is contradicted that is not in the right program."""
    text = functions(PROGRAMS[name])
    unstated = {key.partition(".")[2] for key in UNSTATED if key.startswith(f"{name}.")}
    mistaken = text.replace(MISTAKES[name]["old"], MISTAKES[name]["new"])
    assert wrong(f"wrong_{name}", mistaken, tmp_path) - unstated


@pytest.mark.parametrize("key", UNSTATED)
def test_run_time_contradicts_too(key: str) -> None:
    """What is reported of a right program is refused by jaxtyping and beartype in the same call."""
    name, _, function = key.partition(".")
    names: dict[str, object] = {"__name__": name}
    exec(compile(functions(PROGRAMS[name]), name, "exec", dont_inherit=True), names)  # noqa: S102
    names[function] = jaxtyping.jaxtyped(names[function], typechecker=beartype)
    with pytest.raises(jaxtyping.TypeCheckError, match="return value"):
        eval(UNSTATED[key]["call"], names)


@pytest.mark.parametrize("name", ["train", "train_mistakes", "demo"])
def test_examples(name: str) -> None:
    verdicts = [Verification(subject).verdict() for subject in chosen(str(EXAMPLES / f"{name}.py"))]
    assert [verdict for verdict in verdicts if verdict.answer is Answer.CONTRADICTED] == []
