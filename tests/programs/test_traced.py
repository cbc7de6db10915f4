"""What only a number could answer, of an array that JAX traces: each program fails on the marked line, and its twin runs.

A file of programs has these one after the other, each with its name in a line of its own.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.programs.evaluate import ask
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings

NAME, MARK = re.compile(r"^# %% (.*)\n", re.MULTILINE), re.compile(r"# E: (\w+)")
HEAD = """\
import math
import sys
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

"""


def programs() -> Iterator[tuple[str, str]]:
    for file in sorted((Path(__file__).parent / "traced").glob("*.py")):
        _, *parts = NAME.split(file.read_text(encoding="utf-8"))
        for name, text in zip(parts[::2], parts[1::2], strict=True):
            yield f"{file.stem}: {name}", HEAD + text


PROGRAMS = dict(programs())


def marks(text: str) -> dict[int, str]:
    """The kinds of errors by their lines."""
    lines = enumerate(text.splitlines(), 1)
    return {number: match[1] for number, line in lines if (match := MARK.search(line))}


@pytest.fixture(scope="module")
def child() -> Iterator[Evaluator]:
    child = Evaluator(sys.executable)
    yield child
    child.close()


@pytest.mark.parametrize("name", PROGRAMS)
def test_errors(child: Evaluator, tmp_path: Path, name: str) -> None:
    file = tmp_path / "program.py"
    file.write_text(PROGRAMS[name], encoding="utf-8")
    report = ask(child, collect([file])[0], Settings())
    assert {refusal.line: refusal.kind for refusal in report.refusals} == marks(PROGRAMS[name]), report


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_true(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    text = PROGRAMS[name]
    monkeypatch.setattr(sys, "argv", ["program.py", "3"])
    expected = marks(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(compile(text, "program.py", "exec"), {"__name__": "__main__"})  # noqa: S102  # a program of ours
        except Exception as error:  # any: where it is raised is compared
            trace, lines = error.__traceback__, []
            while trace is not None:
                if trace.tb_frame.f_code.co_filename == "program.py":
                    lines.append(trace.tb_lineno)
                trace = trace.tb_next
            assert expected.keys() & {*lines}, f"line {lines}: {type(error).__name__}: {error}"
        else:
            assert not expected
