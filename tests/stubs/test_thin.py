"""The shorter forms of functions for mypy say what the longer ones do, but for ranks and the dims of lists."""

from __future__ import annotations

import jax.numpy as jnp
import pytest

from jaxtyping_core_stubs.rules import overloads, terms, thin


@pytest.mark.parametrize("name", ["zeros", "concatenate", "stack"])
def test_no_dtype_is_lost(name: str) -> None:
    every = overloads.overloads(f"jax.numpy.{name}", getattr(jnp, name))
    few = thin.for_mypy(every)
    assert few is not None and len(few) <= len(every) - thin.FEWEST
    assert {overload.result.partition(",")[0] for overload in few} == {
        overload.result.partition(",")[0] for overload in every
    }


def test_mypy_is_told_no_ranks_of_joined_lists() -> None:
    few = thin.for_mypy(overloads.overloads("jax.numpy.concatenate", jnp.concatenate))
    assert few is not None
    arrays = [overload.result for overload in few if overload.result.startswith("Array[")]
    assert arrays and all(result.endswith(f", {terms.UNKNOWN}]") for result in arrays)


def test_functions_of_arrays_have_one_form() -> None:
    assert thin.for_mypy(overloads.overloads("jax.numpy.sum", jnp.sum)) is None
