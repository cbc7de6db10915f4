"""What the checkers say of a sample of the public API: nothing wrong, no error on what JAX accepts, and enough."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import NamedTuple

import jax
import pytest

import checkers
from conformance import cases, gradual, pairs, scoring
from conformance.cases import Case

SEED = 0
#: How many expressions are tried; with 32 bits, every function is among them.
SIZES = {False: 1200, True: 320}
#: How many pairs are tried, besides those that are tried in full.
PAIRS = 100
#: How many of the calls with every dtype are tried.
EVERY_DTYPE = 300
#: How many expressions are tried with arrays of which nothing is known.
UNTYPED = 60


class Floors(NamedTuple):
    """The parts of the results whose dtype, and whose rank, a checker must know."""

    dtype: float
    rank: float


#: What was measured, less a little, so that the stubs cannot pass by saying nothing.
FLOORS = {
    # mypy is told little without its plugin; the others what programs need, of functions that are drawn alike.
    "mypy": Floors(0.06, 0.01),
    "pyright": Floors(0.64, 0.42),
    "pyrefly": Floors(0.64, 0.42),
    "ty": Floors(0.63, 0.41),
    "zuban": Floors(0.62, 0.40),
    # Whole shapes; nine of the expressions that are drawn are fields of one result that is open.
    checkers.PLUGIN: Floors(0.99, 0.98),
}
MODES = [
    *((name, False) for name in (*checkers.CHECKERS, checkers.PLUGIN)),
    *((name, True) for name in checkers.WITH_X64),
]


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory, x64: bool) -> Path:
    """One folder for all runs in an x64 mode, so that a checker's cache serves them all."""
    shared = tmp_path_factory.getbasetemp() / f"conformance_{64 if x64 else 32}"
    shared.mkdir(exist_ok=True)
    return shared


@functools.cache
def api_cases(x64: bool) -> list[Case]:
    """A sample of the expressions over the API."""
    with jax.enable_x64(x64):
        return cases.cases(cases.sample(x64, SIZES[x64], SEED))


@functools.cache
def pair_cases(x64: bool) -> list[Case]:
    """A sample of the pairs; with 32 bits, all pairs under the main operations."""
    with jax.enable_x64(x64):
        return cases.cases(pairs.sample(x64, PAIRS, SEED))


def _score(tried: list[Case], checker: str, x64: bool, folder: Path) -> scoring.Score:
    dims_as = "numbers" if checker == checkers.PLUGIN else None
    programs = folder / checker if dims_as else folder
    score = scoring.score(checker, scoring.write(tried, programs, dims_as), folder, x64)
    problems = "\n".join(map(scoring.line, [*score.wrong, *score.false_errors]))
    assert not problems, problems
    return score


def test_the_suite_is_large() -> None:
    everything = cases.expressions(x64=False)
    assert len(everything) >= 5000
    assert len({target for target, _ in everything}) >= 600
    assert len(cases.functions_accepted(api_cases(x64=False))) >= 600


of_this_jax = pytest.mark.skipif(
    not jax.__version__.startswith("0.12."),
    reason="the committed stubs describe JAX 0.12, another one is installed",
)


@of_this_jax
@pytest.mark.parametrize(("checker", "x64"), MODES)
def test_api(checker: str, x64: bool, folder: Path) -> None:
    score = _score(api_cases(x64), checker, x64, folder)
    floors = FLOORS[checker]
    left_open = "\n".join(map(scoring.line, [*score.open, *score.open_rank]))
    assert score.share("dtype") >= floors.dtype, left_open
    assert score.share("rank") >= floors.rank, left_open


@pytest.mark.parametrize(
    ("checker", "x64"),
    [
        pytest.param(*mode, marks=() if mode[0] == checkers.PLUGIN else pytest.mark.one_python)
        for mode in MODES
    ],
)
def test_pairs(checker: str, x64: bool, folder: Path) -> None:
    _score(pair_cases(x64), checker, x64, folder)


@of_this_jax
@pytest.mark.one_python
@pytest.mark.parametrize("checker", [*checkers.CHECKERS, checkers.PLUGIN])
@pytest.mark.parametrize("x64", [False])
def test_every_dtype(checker: str, x64: bool, folder: Path) -> None:
    _score(cases.cases(cases.sample_of_dtypes(x64, EVERY_DTYPE, SEED)), checker, x64, folder)


@pytest.mark.one_python
@pytest.mark.parametrize("checker", [*checkers.CHECKERS, checkers.PLUGIN])
@pytest.mark.parametrize("x64", [False])
def test_arrays_without_types(checker: str, x64: bool, folder: Path) -> None:
    chosen = cases.sample(x64, UNTYPED, SEED)
    problems = gradual.check(checker, chosen, folder, x64)
    assert not problems, "\n".join(map(gradual.line, problems))
