"""Where type checkers look at nothing, few samples are tried: the answer says less there, and as much everywhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxtyping_core.programs.evaluate import evaluate_programs
from jaxtyping_core.programs.report import Report
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings

PROGRAM = """
import jax
import jax.numpy as jnp
import nowhere


def seen(x: jax.Array, n: int):
    total = jnp.sum(x)
    flat = jnp.reshape(x, (n, 2)) if n else jnp.zeros((n, 2))
    return total + flat


def helper(x):
    of_helper = jnp.isnan(x)
    return of_helper


def above(x: jax.Array):
    return helper(x)


def main():
    data = nowhere.load()
    first = jnp.sin(jnp.asarray(data))
    second = jnp.cos(jnp.asarray(first))
    third = jnp.isnan(jnp.asarray(second))
    known = jnp.zeros(6) + 1
    several = jnp.ones((len(data), 2)).reshape(-1, 2)
    return seen(known, 3), above(known), third, several


main()
top = jnp.isnan(jnp.asarray(nowhere.load()))
"""
#: What JAX refuses for all sizes: where no sizes are tried, that is not known.
REFUSED = PROGRAM.replace("(len(data), 2)).reshape(-1, 2)", "len(data)) @ jnp.ones(len(data) + 1)")


def report(tmp_path: Path, text: str, annotated_alone: bool) -> Report:
    file = tmp_path / "program.py"
    file.write_text(text)
    return evaluate_programs(collect([file]), Settings(), cached=False, annotated_alone=annotated_alone)


@pytest.mark.parametrize("text", [PROGRAM, REFUSED])
def test_few_samples_are_tried_in_functions_without_annotations(tmp_path: Path, text: str) -> None:
    """A call that was not tried there is tried at the top level, and in functions with annotations and below them."""
    alone, whole = (
        {place.name: place.known for place in report(tmp_path, text, is_alone).places}
        for is_alone in (True, False)  # the answer about all functions would be the one about some
    )
    assert {"third"} <= whole.keys() - alone.keys() <= {"third", "several"}
    assert all(whole[name] == known for name, known in alone.items())
    assert {"top", "total", "of_helper", "known", "first"} <= alone.keys()


def test_what_was_not_tried_is_not_refused(tmp_path: Path) -> None:
    alone, whole = (report(tmp_path, REFUSED, is_alone).refusals for is_alone in (True, False))
    assert set(alone) <= set(whole)
