"""JAX itself: each program of `cases/` is run, and fails where that is marked; what its places hold fits all that is marked of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from truth.claims import Claim
from truth.programs import Facts, Key
from truth.verdicts import judged

from claims import cases, running
from claims.cases import Case
from claims.expected import errors_for, places_for
from jaxtyping_core.programs.places import Place


@pytest.mark.sweep("truth")
@pytest.mark.parametrize("case", cases.parameters("true"))
def test_true(case: Case) -> None:
    runs = running.run(case)
    lines = {mark.line for mark in errors_for(case, "true")}
    for failure in runs.ends:
        if failure is None:
            assert not lines, "the program does not fail"
        elif lines or not running.has_unknown(case):
            assert failure.lines & lines, str(failure)
    assert mistakes(case, runs) == []


def mistakes(case: Case, runs: running.Runs) -> list[str]:
    """What is wrong with the marks of places, for any client."""
    marked = {
        place for client in case.directives.only for place in places_for(case, client) if not place.is_open
    }
    wrong = (mistake for place in sorted(marked, key=repr) for mistake in _mistakes(place, runs))
    return [*dict.fromkeys(wrong)]


def _mistakes(place: Place, runs: running.Runs) -> list[str]:
    at = f"line {place.line}: {place.name}"
    facts = runs.facts.get((place.line, place.name), ())
    if len(facts) <= place.column:
        return [f"{at} holds nothing in any run"]
    fact, key = facts[place.column], Key(Path(place.file), place.line, place.column, place.name)
    claim = Claim(place.dtype, place.weak, place.shape)
    judgement = judged(Facts({key: fact}, (), None), {key: claim})
    wrong = [mistake for verdict in judgement.verdicts for mistake in verdict.mistakes]
    others = [f"it is a {name}" for _, of_others, _ in judgement.no_arrays for name in of_others.others]
    return [f"{at} is not {place.value}: {each}" for each in (*wrong, *others)]
