"""Children that do not do what they are told, and what of theirs is kept for whom."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jaxtyping_core.evaluation import client, process
from jaxtyping_core.evaluation.cache import Cache
from jaxtyping_core.evaluation.client import MOST_SKIPPED, Evaluator, Superseded

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc"),
    pytest.mark.own_processes,
]
ROOT = str(Path(client.__file__).parents[2])
READY = f"""
import itertools, json, os, sys
sys.path.insert(0, {ROOT!r})
from jaxtyping_core.evaluation import progress
numbers = progress.shared(tuple(sys.argv))
def say(message, line=None):
    nonce = {{}} if line is None else {{"nonce": json.loads(line)["nonce"]}}
    print(json.dumps({{**message, **nonce}}), flush=True)
say({{"ready": True, "wall": "full"}})
"""
#: Holds the interpreter lock in C code.
HANGS = "-1 in itertools.count()"
#: Says which process answers.
ANSWERS = f"""{READY}
for line in sys.stdin:
    say({{"unknown": str(os.getpid())}}, line)
"""
#: Does not get beyond the third line of the program, unless that is left out.
STALLS = f"""{READY}
for line in sys.stdin:
    request = json.loads(line)
    if request.get("skipped") != [[0, 3, 4]]:
        numbers[:] = type(numbers)(bytes(32)).cast("q")
        numbers[progress.LINE], numbers[progress.COLUMN], numbers[progress.COUNT] = 3, 4, 17
        {HANGS}
    say({{"unknown": "without the statement"}}, line)
"""
#: Does not get beyond the third line of the program, also where that is left out, unless the walk ends there.
STALLS_TILL_THE_END = f"""{READY}
for line in sys.stdin:
    if json.loads(line)["program"].get("ends") != [0, 3, 4]:
        numbers[:] = type(numbers)(bytes(32)).cast("q")
        numbers[progress.LINE], numbers[progress.COLUMN], numbers[progress.COUNT] = 3, 4, 17
        {HANGS}
    say({{"unknown": "up to the statement"}}, line)
"""
#: Does not get beyond any line.
STALLS_ALWAYS = f"""{READY}
for line in sys.stdin:
    skipped = json.loads(line).get("skipped", [])
    numbers[progress.LINE], numbers[progress.COUNT] = len(skipped) + 1, 17
    {HANGS}
"""
PROGRAM = {"program": {"modules": {}}}


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    """Makes evaluators whose child is another script."""
    made: list[Evaluator] = []

    def build(script: str, **options: Any) -> Evaluator:
        file = tmp_path / "child.py"
        file.write_text(script)
        monkeypatch.setattr(client, "CHILD", file)
        made.append(Evaluator(sys.executable, **options))
        return made[-1]

    yield build
    for evaluator in made:
        evaluator.close()


def test_a_child_that_does_not_stop_is_ended(make: Any) -> None:
    child = make(f"{READY}\nsys.stdin.readline()\n{HANGS}")
    start = time.monotonic()
    child.is_superseded = lambda: time.monotonic() > start + 1.0
    with pytest.raises(Superseded):
        child.ask({"function": "x"}, 600.0)
    assert time.monotonic() - start < 1.0 + 10 * process.STOP_LIMIT  # of a clock, on a busy machine
    assert child._child is None


def test_a_statement_that_does_not_end_is_left_out(make: Any) -> None:
    child = make(STALLS)
    assert child.ask(PROGRAM, 8.0, project="/p").unknown == "without the statement"
    assert not child.gave_up


def test_what_was_known_is_shown_if_leaving_out_is_not_enough(make: Any) -> None:
    child = make(STALLS_TILL_THE_END)
    assert child.ask(PROGRAM, 8.0, project="/p").unknown == "up to the statement"
    assert not child.gave_up


def test_not_all_statements_are_left_out(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "LEAST_AT_ONE", 0.2)
    child = make(STALLS_ALWAYS)
    start = time.monotonic()
    answer = child.ask(PROGRAM, 0.4, project="/p")
    assert answer.fault
    assert "statement" in str(answer.unknown) or "took more" in str(answer.unknown)
    assert time.monotonic() - start < 60
    assert MOST_SKIPPED < 10


def test_a_child_answers_for_one_project(make: Any) -> None:
    child = make(ANSWERS)

    def pid(project: str | None, question: int) -> str:
        return str(child.ask({"function": str(question)}, project=project).unknown)

    generic = pid(None, 1)
    assert pid(None, 2) == generic
    first = pid("/first", 3)  # one that has read no program may read one
    assert pid("/first", 4) == first
    second = pid("/second", 5)
    third = pid(None, 6)
    assert len({first, second, third}) == 3


def test_answers_about_a_program_are_kept_for_its_project(make: Any, tmp_path: Path) -> None:
    file = tmp_path / "answers.sqlite3"
    child = make(ANSWERS, cache=Cache(file, "1"))
    first = child.ask(PROGRAM, project="/first")
    again = make("raise SystemExit", cache=Cache(file, "1"))
    assert again.ask(PROGRAM, project="/first") == first
    assert again.ask(PROGRAM, project="/second").fault
    assert again.ask(PROGRAM).fault


def test_what_is_said_before_a_question_answers_none(make: Any) -> None:
    """A program that has got hold of the child has it say more than one line."""
    script = f"{READY}\nfor line in sys.stdin:\n    say({{'unknown': 'forged'}}, line)\n    say({{'unknown': line}}, line)\n"
    child = make(script)
    answers = [child.ask({"function": str(number)}, project="/p") for number in range(4)]
    for number, answer in enumerate(answers):
        assert answer.fault or answer.unknown == "forged" or f'"{number}"' in str(answer.unknown)


@pytest.mark.parametrize(
    "answer",
    [
        {"result": ["array", ["float32[1]; __import__('os')"], False, [3], False]},
        {"result": ["array", ["float32"], False, ["__import__('os')"], False]},
        {"error": {"kind": "made up", "message": "x"}},
    ],
)
def test_made_up_answers_are_not_kept(make: Any, tmp_path: Path, answer: dict[str, Any]) -> None:
    file = tmp_path / "answers.sqlite3"
    script = f"{READY}\nfor line in sys.stdin: say(json.loads({json.dumps(answer)!r}), line)"
    told = make(script, cache=Cache(file, "1")).ask({"function": "x"})
    assert told.fault
    assert "invalid answer" in str(told.unknown)
    assert make("raise SystemExit", cache=Cache(file, "1")).ask({"function": "x"}).fault


def test_an_answer_has_a_length(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "MOST_BYTES", 1 << 20)
    child = make(f"{READY}\nsys.stdin.readline()\nwhile True: print('x' * 65536, end='', flush=True)")
    answer = child.ask({"function": "x"}, 60.0)
    assert answer.fault
    assert "does not end" in str(answer.unknown)
