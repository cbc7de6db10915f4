"""What is believed of a child's answer, which may be a hostile program's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jaxtyping_core.domain.expressions import LONGEST, calculate, parsed
from jaxtyping_core.evaluation import accepted
from jaxtyping_core.evaluation.protocol import Answer, decode_answer
from jaxtyping_core.programs import accepted as of_programs
from jaxtyping_core.programs.report import decode, with_facts
from jaxtyping_core.programs.sources import Module, Program


@pytest.mark.parametrize(
    ("text", "value"),
    [("B", 3), ("2*B + 1", 7), ("floordiv(B, 2) - -K", 6), ("B^2", 9), ("max(B, K, 1)", 5), ("mod(K, B)", 2)],
)
def test_sizes_are_calculated(text: str, value: int) -> None:
    assert calculate(text, {"B": 3, "K": 5}) == value


@pytest.mark.parametrize(
    "text",
    [
        *(
            "().__class__",
            "B.real",
            "B[0]",
            "f(B)",
            "[B]",
            "B if B else 1",
            "lambda: B",
            "'a'",
            "1.5",
            "B; B",
        ),
        *(
            "__import__('os')",
            "max(*B)",
            "max(a=B)",
            "B ** B",
            "B ** 65",
            "B == 1",
            "(B := 1)",
            "",
            "B" * 5_000,
        ),
        *("(" * 300 + "B" + ")" * 300, "-" * 1_900 + "B", "print(1)", "B << 3"),
    ],
)
def test_other_texts_are_no_sizes(text: str) -> None:
    with pytest.raises(ValueError, match="size"):
        parsed(text)


def test_a_size_has_a_length() -> None:
    assert len("+".join(["B"] * 100)) < LONGEST
    parsed("+".join(["B"] * 100))


@pytest.mark.parametrize(
    "result",
    [
        ["array", ["float32[1]; __import__('os')"], False, [3], False],
        ["array", ["object"], False, [3], False],
        ["array", [], False, [3], False],
        ["array", ["float32"], 3, [3], False],
        ["array", ["float32"], False, [-1], False],
        ["array", ["float32"], False, [1 << 70], False],
        ["array", ["float32"], False, [True], False],
        ["array", ["float32"], False, ["open('x')"], False],
        ["array", ["float32"], False, [1] * 65, False],
        ["tuple", [["array", ["made_up"], False, None, False]]],
        ["dtype", "made_up"],
        ["dim", "B.real"],
        ["scalar", "made_up"],
    ],
)
def test_results_that_there_are_not(result: list[Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        accepted.answer(decode_answer({"result": result}))


@pytest.mark.parametrize(
    "result",
    [
        ["array", ["key<fry>"], False, [], False],
        ["array", ["bfloat16"], False, ["B", 3, None, "2*B + 1"], False],
        ["array", None, False, None, False],
        ["scalar", "complex"],
        ["dtype", "float8_e4m3fn"],
    ],
)
def test_results_that_there_are(result: list[Any]) -> None:
    told = decode_answer({"result": result})
    assert accepted.answer(told) == told


def test_messages_are_harmless() -> None:
    told = Answer(error="a\x1b[2Jb\u202ec\n\td\udce4 é", kind="shape")
    assert accepted.answer(told).error == "a\\x1b[2Jb\\u202ec\n\td\\udce4 é"
    assert len(str(accepted.answer(Answer(unknown="x" * 10**6)).unknown)) < 30_000
    with pytest.raises(ValueError, match="kind"):
        accepted.answer(Answer(error="x", kind="made up"))


PROGRAM = Program(Path(), ["m"], {"m": Module("m.py", "x = 1\ny = 2\n", False)})
FACT = {
    "file": "m.py",
    "line": 1,
    "column": 0,
    "name": "x",
    "dtype": "float32",
    "weak": False,
    "shape": [3],
    "calls": 1,
    "is_parameter": False,
    "is_array": True,
    "is_open": False,
    "seen": [],
    "context": ["called", "m.py", 2],
}
REFUSAL = {
    "file": "m.py",
    "line": 1,
    "column": 0,
    "kind": "shape",
    "message": "no",
    "end_line": 1,
    "trail": [],
    "origins": [],
}
TOLD: dict[str, Any] = {"facts": [FACT], "refusals": [REFUSAL], "notes": [], "complete": True}


def test_a_report_about_the_program() -> None:
    told = decode(TOLD)
    assert of_programs.report(told, PROGRAM) == with_facts(told, told.facts)
    assert [place.name for place in with_facts(told, told.facts).places] == ["x"]


@pytest.mark.parametrize(
    "change",
    [
        {"file": "/etc/passwd"},
        {"line": 4},
        {"line": -1},
        {"line": "1"},
        {"column": 1 << 40},
        {"name": "x\x1b[2J"},
        {"dtype": "float32[1]; __import__('os')"},
        {"shape": ["open('x')"]},
        {"shape": 3},
        {"weak": "yes"},
        {"calls": "many"},
        {"context": ["made up", "", 0]},
        {"context": ["called", "/etc/passwd", 1]},
        {"context": ["called", "m.py", 4]},
        {"context": ["called", "", 1]},
    ],
)
def test_places_that_there_are_not(change: dict[str, Any]) -> None:
    with pytest.raises((ValueError, LookupError, TypeError)):
        of_programs.report(decode({**TOLD, "facts": [{**FACT, **change}]}), PROGRAM)


#: An expression: where it begins and ends, and in each context its array and those that were seen.
EXPRESSION: list[Any] = ["m.py", 1, 4, 1, 5, [[["called", "", 0], ["float32", False, [3]], [], None]]]


def test_expressions_of_the_program() -> None:
    report = of_programs.report(decode({**TOLD, "expressions": [EXPRESSION]}), PROGRAM)
    ((end_line, end_column, (fact,)),) = report.expressions
    assert (fact.place.spot[:3], end_line, end_column) == (("m.py", 1, 4), 1, 5)
    assert (fact.place.value, fact.is_array) == ("float32[3]", True)
    assert [place.name for place in report.places] == ["x"]


@pytest.mark.parametrize(
    ("index", "value"),
    [
        (0, "n.py"),
        (1, 9),
        (2, 1 << 40),
        (3, 9),
        (4, "1"),
        (5, [[["made up", "", 0], ["float32", False, [3]], []]]),
        (5, [[["called", "n.py", 1], ["float32", False, [3]], []]]),
        (5, [[["called", "", 0], ["made_up", False, [3]], []]]),
        (5, [[["called", "", 0], ["float32", False, ["open('x')"]], []]]),
        (5, [[["called", "", 0], ["float32", False, [3]], [["made_up", False, [3]]]]]),
    ],
)
def test_expressions_that_there_are_not(index: int, value: Any) -> None:
    changed = [value if number == index else part for number, part in enumerate(EXPRESSION)]
    with pytest.raises((ValueError, LookupError, TypeError)):
        of_programs.report(decode({**TOLD, "expressions": [changed]}), PROGRAM)


@pytest.mark.parametrize(
    "change",
    [
        {"file": "n.py"},
        {"kind": "made up"},
        {"line": 9},
        {"end_line": 9},
        {"trail": [{"file": "n.py", "line": 1, "arguments": ""}]},
        {"origins": [{"file": "m.py", "line": 9, "what": "x: float32[3]", "how": "assigned"}]},
    ],
)
def test_refusals_that_there_are_not(change: dict[str, Any]) -> None:
    with pytest.raises((ValueError, LookupError, TypeError)):
        of_programs.report(decode({**TOLD, "refusals": [{**REFUSAL, **change}]}), PROGRAM)


@pytest.mark.parametrize(
    "call",
    [
        {"arguments": [["x", {"tag": "object", "type": "os.system"}]], "returned": {"tag": "cut"}},
        {"arguments": [["x y", {"tag": "cut"}]], "returned": {"tag": "cut"}},
        {
            "arguments": [],
            "returned": {"tag": "array", "dtype": "x", "dims": [], "weak": False, "library": "jax"},
        },
        {"arguments": [], "returned": {"tag": "scalar", "kind": "int", "value": "text"}},
    ],
)
def test_calls_that_there_are_not(call: dict[str, Any]) -> None:
    with pytest.raises((ValueError, LookupError, TypeError)):
        of_programs.report(decode({**TOLD, "calls": [call]}), PROGRAM)
