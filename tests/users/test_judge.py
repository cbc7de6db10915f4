"""The judge of users' programs, on a program and on types whose verdicts are plain."""

from __future__ import annotations

import pytest

from conformance.truth import ArrayOf
from conformance.verdict import Answer
from users.claims import claims
from users.judge import MISTAKES, PROGRAMS
from users.places import probed, revealing
from users.truth import Failure, failure, observe

EXACT, OPEN, WRONG = Answer
PROGRAM = '''"""Twice."""
import jax
import jax.numpy as jnp


def twice(x: jax.Array) -> jax.Array:
    """Two of it."""
    y = jnp.concatenate([x, x])
    return y


for n in (2, 3):
    whole = twice(jnp.ones(n))
    a, (b, c) = n, (whole, whole)
'''
#: The numbers of the places of the program, by name.
PLACES = {place.name: number for number, place in enumerate(probed(PROGRAM).places)}


def test_places() -> None:
    names = [(place.line, place.name) for place in probed(PROGRAM).places if not place.is_parameter]
    assert sorted(names) == [
        (8, "y"),
        (9, "return"),
        (12, "n"),
        (13, "whole"),
        (14, "a"),
        (14, "b"),
        (14, "c"),
    ]


def test_observations() -> None:
    seen = [observation.truth for observation in observe(probed(PROGRAM)) if observation.place == PLACES["y"]]
    assert seen == [ArrayOf("float32", (4,)), ArrayOf("float32", (6,))]


def test_types_are_revealed_at_chosen_places() -> None:
    source, lines = revealing(probed(PROGRAM), {PLACES["x"], PLACES["return"]})
    shown = {
        lines[number]: line.strip() for number, line in enumerate(source.splitlines(), 1) if number in lines
    }
    assert shown == {PLACES["x"]: "reveal_type(x)", PLACES["return"]: "return reveal_type(y)"}
    assert source.count("reveal_type") == 2
    assert "__probe__" not in source


@pytest.mark.parametrize(
    ("revealed", "dtype", "rank", "shape"),
    [
        ("Array[float32, tuple[Literal['2*B']]]", EXACT, EXACT, EXACT),
        ("Array[float32, tuple[Literal['3*B']]]", EXACT, WRONG, WRONG),
        ("Array[float32, tuple[B]]", EXACT, WRONG, WRONG),
        ("Array[float32, tuple[Literal[4]]]", EXACT, WRONG, WRONG),  # of the first call only
        ("Array[float32, tuple[Literal['2*D']]]", EXACT, EXACT, OPEN),
        ("Array[float32, tuple[Any]]", EXACT, EXACT, OPEN),
        ("Array[float32, tuple[B, ...]]", EXACT, OPEN, OPEN),
        ("Array[floating, Any]", OPEN, OPEN, OPEN),
        ("Array[weak_float, Any]", WRONG, OPEN, OPEN),
        ("ndarray[Any, Any]", WRONG, WRONG, WRONG),
    ],
)
def test_claims(revealed: str, dtype: Answer, rank: Answer, shape: Answer) -> None:
    texts = {PLACES["x"]: "Array[float32, tuple[B]]", PLACES["y"]: revealed}
    program = probed(PROGRAM)
    (claim,) = claims(texts, program.places, observe(program))
    assert claim.answers == (dtype, rank, shape)
    assert claim.is_wrong == (WRONG in (dtype, rank, shape))


def test_failure() -> None:
    failed = failure(PROGRAM.replace("[x, x]", "[x, x[None]]"))
    assert failed is not None
    assert failed.line == 8
    assert failure(PROGRAM) is None


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_mistake_is_on_few_lines(name: str) -> None:
    mistake = MISTAKES[name]
    assert 1 <= len(mistake.lines(Failure(ValueError(), 1))) <= 12
