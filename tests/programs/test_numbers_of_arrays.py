"""Calls that ask an array for its number: in the walk it has none, and in the program it has, so that nothing is refused."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Any

from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.programs.evaluate import ask
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings

CALLS = (Path(__file__).parent / "data" / "numbers_of_arrays.txt").read_text(encoding="utf-8").splitlines()
HEAD = """\
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
x, v = jnp.arange(12.0).reshape(3, 4), jnp.arange(6.0)
n, one, zero, f, b = jnp.int32(2), jnp.int32(1), jnp.int32(0), jnp.float32(0.5), jnp.array(True)
idx, key = jnp.array([0, 1]), jax.random.key(0)
"""
#: Each call that this JAX accepts, at least; the others are no matter.
FEWEST = 220


def accepted() -> list[str]:
    """The calls that JAX accepts where the arrays have numbers."""
    scope: dict[str, Any] = {}
    exec(HEAD, scope)  # noqa: S102  # the head of the program below
    calls = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for call in CALLS:
            try:
                eval(call, scope)  # a call of the table
            except Exception:  # noqa: S112  # this JAX refuses it, for whatever reason
                continue
            calls.append(call)
    return calls


def test_nothing_is_refused(tmp_path: Path) -> None:
    calls = accepted()
    assert len(calls) >= FEWEST
    file = tmp_path / "program.py"
    file.write_text(HEAD + "".join(f"r{i} = {call}\n" for i, call in enumerate(calls)), encoding="utf-8")
    child = Evaluator(sys.executable)
    report = ask(child, collect([file])[0], Settings())
    child.close()
    first = HEAD.count("\n") + 1
    assert {calls[refusal.line - first]: refusal.message for refusal in report.refusals} == {}
    assert not report.incomplete
