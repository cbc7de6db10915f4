"""Functions that cannot be called again: what recorded calls gave is looked at, as long as the program does what it did."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotating.facts_by_hand import call, floats, seen
from jaxtyping_core.recording.bodies import bodies_of
from jaxtyping_core.recording.fact_writer import Writer
from jaxtyping_core.recording.observed import Array, Call, Function, Object
from jaxtyping_core.recording.store import load
from jaxtyping_core.verifying.report import chosen, with_recorded
from jaxtyping_core.verifying.verdicts import Answer, Verdict, Verification

PLAIN = """
import jax
import jax.numpy as jnp
{imports}
class State:
    def __init__(self, apply):
        self.apply = apply

def step(state, x):
    return state.apply(x), state

def step_wrong(state, x):
    return state.apply(x), state

def named(config, x):
    scale: float = 2.0
    return x * scale if config["kind"] == "double" else x[:1]

def other_sizes(state, x):
    return state.apply(x)

def raw_key(state, key, x):
    return state.apply(x)
"""
HEADS = {
    "step(state, x)": "step(state: State, x: Float32[N, M]) -> tuple[Float32[N], State]",
    "step_wrong(state, x)": "step_wrong(state: State, x: Float32[N, M]) -> tuple[Float32[M], State]",
    "named(config, x)": "named(config: dict[str, str], x: Float32[N]) -> Float32[N]",
    "other_sizes(state, x)": "other_sizes(state: State, x: Float32[N, N]) -> Float32[N]",
    "raw_key(state, key, x)": "raw_key(state: State, key: jax.Array, x: Float32[N]) -> Float32[()]",
}
IMPORTS = """
from typing import TypeVar
from jaxtyping_core.typing import Float32

N = TypeVar("N", bound=int)
M = TypeVar("M", bound=int)
"""
STATE = Object("__main__.State", ("params",), (seen({"w": floats(3)}),))
CALLS: dict[str, Call] = {
    "step": call((floats(5), STATE), state=STATE, x=floats(5, 3)),
    "step_wrong": call((floats(5), STATE), state=STATE, x=floats(5, 3)),
    "named": call(floats(4), config={"kind": "double"}, x=floats(4)),
    "other_sizes": call(floats(5), state=STATE, x=floats(5, 3)),
    "raw_key": call(floats(), state=STATE, key=Array("uint32", (2,)), x=floats(4)),
}
EXPECTED = {
    "step": (Answer.TESTED, "by the results of 1 recorded call"),
    "step_wrong": (Answer.CONTRADICTED, "returns float32[5] in result[0] for"),
    "named": (Answer.TESTED, "by the results of 1 recorded call"),
    "other_sizes": (Answer.NOT_CHECKED, ""),
    "raw_key": (Answer.TESTED, "by the results of 1 recorded call"),
}


def annotated() -> str:
    text = PLAIN.format(imports=IMPORTS)
    for plain, head in HEADS.items():
        text = text.replace(plain, head)
    return text


def verdicts(folder: Path, recorded: str, verified: str) -> dict[str, Verdict]:
    file = folder / f"remembered_{abs(hash((recorded, verified)))}.py"
    file.write_text(verified)
    writer = Writer(folder / "facts.sqlite3")
    number = writer.file(file.resolve(), "of the text before", bodies_of(recorded.encode()))
    for name, each in CALLS.items():
        writer.add_calls(number, Function(name, 1), [(each, 1)])
    writer.close()
    facts = load(writer.path)
    subjects = chosen(str(file))
    return {s.name: with_recorded(Verification(s).verdict(), facts) for s in subjects}


def test_what_calls_gave_is_looked_at(tmp_path: Path) -> None:
    shown = verdicts(tmp_path, PLAIN.format(imports=""), annotated())
    assert shown.keys() - {"State.__init__"} == EXPECTED.keys()
    for name, (answer, reason) in EXPECTED.items():
        assert shown[name].answer is answer, (name, shown[name].reason)
        assert reason in shown[name].reason


def test_of_another_program_nothing_is_known(tmp_path: Path) -> None:
    other = PLAIN.format(imports="").replace("2.0", "3.0")
    shown = verdicts(tmp_path, other, annotated())
    assert {shown[name].answer for name in EXPECTED} == {Answer.NOT_CHECKED}


@pytest.mark.parametrize(
    ("new", "same"),
    [
        ("N = 3\nimport numpy\ndef f(x: int, *, y: str = 'a') -> int:\n    z: int = x\n    return z\n", True),
        (
            "N = 3\nfrom typing import TypeVar\nT = TypeVar('T')\ndef f(x, *, y='a'):\n    z = x\n    return z\n",
            True,
        ),
        ("N = 4\ndef f(x, *, y='a'):\n    z = x\n    return z\n", False),
        ("N = 3\ndef f(x, *, y='b'):\n    z = x\n    return z\n", False),
        ("N = 3\ndef f(x, *, y='a'):\n    z = x + 1\n    return z\n", False),
        ("N = 3\n@jit\ndef f(x, *, y='a'):\n    z = x\n    return z\n", False),
    ],
)
def test_annotations_and_imports_are_no_part_of_what_a_file_does(new: str, same: bool) -> None:
    old = "N = 3\ndef f(x, *, y='a'):\n    z = x\n    return z\n"
    assert (bodies_of(old.encode()) == bodies_of(new.encode())) is same
    assert bodies_of(b"def f(:") == ""
