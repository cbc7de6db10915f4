"""What the checkers say of a sample of the public API: nothing wrong, no error on what JAX accepts, and enough."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import jax
import pytest

import checkers
import sweeps
from conformance import cases, gradual, pairs, scoring
from conformance.cases import Case

SEED = 0
#: How many expressions are tried where the sweep is whole; with 32 bits, every function is among them.
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


#: The JAX that the committed stubs describe.
IS_CURRENT = jax.__version__.startswith("0.12.")
Places = dict[tuple[Path, int], Case]


@functools.cache
def api_cases(x64: bool) -> list[Case]:
    """A sample of the expressions over the API."""
    with jax.enable_x64(x64):
        return cases.cases(sweeps.some("checkers", cases.sample(x64, SIZES[x64], SEED)))


@functools.cache
def pair_cases(x64: bool) -> list[Case]:
    """A sample of the pairs; with 32 bits, all pairs under the main operations, with the current JAX."""
    chosen = pairs.sample(x64, PAIRS, SEED)
    chosen = sweeps.some("checkers", chosen if IS_CURRENT else chosen[:PAIRS])
    with jax.enable_x64(x64):
        return cases.cases(chosen)


@functools.cache
def cases_of_every_dtype() -> list[Case]:
    """A sample of the calls with every dtype."""
    return cases.cases(sweeps.some("checkers", cases.sample_of_dtypes(False, EVERY_DTYPE, SEED)))


class Asked(NamedTuple):
    """All programs that a checker was shown in an x64 mode, by what they are about, and what it reported."""

    places: dict[str, Places]
    report: checkers.Report


Ask = Callable[[str, bool], Asked]


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """Run a checker once in each mode, over all programs: half of the time of a small run is spent on JAX's stubs."""

    @functools.cache
    def asked(checker: str, x64: bool) -> Asked:
        folder = tmp_path_factory.mktemp(f"{checker}_{64 if x64 else 32}")
        dims_as = "numbers" if checker == checkers.PLUGIN else None
        chosen = {"pairs": pair_cases(x64)}
        if IS_CURRENT:
            chosen["api"] = api_cases(x64)
        if IS_CURRENT and not x64:
            chosen["every_dtype"] = cases_of_every_dtype()
        places = {name: scoring.write(some, folder, dims_as, name) for name, some in chosen.items()}
        if not x64:
            places["untyped"] = gradual.write(
                sweeps.some("checkers", cases.sample(x64, UNTYPED, SEED)), folder, "untyped"
            )
        files = [file for some in places.values() for file in scoring.files(some)]
        return Asked(places, checkers.run(checker, files, folder, x64=x64))

    return asked


def _score(asked: Asked, name: str, checker: str, x64: bool) -> scoring.Score:
    score = scoring.score(checker, asked.places[name], asked.report, x64)
    problems = "\n".join(map(scoring.line, [*score.wrong, *score.false_errors]))
    assert not problems, problems
    return score


@pytest.mark.one_python
def test_the_suite_is_large() -> None:
    everything = cases.expressions(x64=False)
    assert len(everything) >= 5000
    assert len({target for target, _ in everything}) >= 600
    if sweeps.is_whole("checkers"):
        assert len(cases.functions_accepted(api_cases(x64=False))) >= 600


of_this_jax = pytest.mark.skipif(
    not IS_CURRENT, reason="the committed stubs describe JAX 0.12, another one is installed"
)


@of_this_jax
@pytest.mark.parametrize(("checker", "x64"), MODES)
def test_api(checker: str, x64: bool, ask: Ask) -> None:
    score = _score(ask(checker, x64), "api", checker, x64)
    floors = FLOORS[checker]
    left_open = "\n".join(map(scoring.line, [*score.open, *score.open_rank]))
    for what, floor in (("dtype", floors.dtype), ("rank", floors.rank)):
        tried = getattr(score, what).total()
        assert score.share(what) >= sweeps.floor("checkers", floor, tried), left_open


@pytest.mark.parametrize(
    ("checker", "x64"),
    [
        pytest.param(*mode, marks=() if mode[0] == checkers.PLUGIN else pytest.mark.one_python)
        for mode in MODES
    ],
)
def test_pairs(checker: str, x64: bool, ask: Ask) -> None:
    _score(ask(checker, x64), "pairs", checker, x64)


@of_this_jax
@pytest.mark.one_python
@pytest.mark.parametrize("checker", [*checkers.CHECKERS, checkers.PLUGIN])
def test_every_dtype(checker: str, ask: Ask) -> None:
    _score(ask(checker, False), "every_dtype", checker, False)


@pytest.mark.one_python
@pytest.mark.parametrize("checker", [*checkers.CHECKERS, checkers.PLUGIN])
def test_arrays_without_types(checker: str, ask: Ask) -> None:
    asked = ask(checker, False)
    problems = gradual.check(checker, asked.places["untyped"], asked.report)
    assert not problems, "\n".join(map(gradual.line, problems))
