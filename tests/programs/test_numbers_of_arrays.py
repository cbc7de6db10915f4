"""Calls that ask an array for its number: where the program has it, nothing is refused, and where JAX traces the array, the call is."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest
from evaluating import evaluate_text

import sweeps
from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.programs.report import Refusal
from jaxtyping_core.rules import RULES

CALLS = sweeps.some(
    "calls",
    (Path(__file__).parent / "data" / "numbers_of_arrays.txt").read_text(encoding="utf-8").splitlines(),
)
KINDS_OF_RULES = {rule.kind for rule in RULES}
NAMES = "x, v, n, one, zero, f, b, idx, key"
HEAD = """\
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
x, v = jnp.arange(12.0).reshape(3, 4), jnp.arange(6.0)
n, one, zero, f, b = jnp.int32(2), jnp.int32(1), jnp.int32(0), jnp.float32(0.5), jnp.array(True)
idx, key = jnp.array([0, 1]), jax.random.key(0)
"""
#: The share of the calls that this JAX accepts, at least; the others are no matter.
FEWEST = 0.8
#: How a function with such a call is transformed.
TRANSFORMED = {
    "jit": f"jax.jit(call)({NAMES})",
    "vmap": f"jax.vmap(call)(*(jnp.stack([each, each]) for each in ({NAMES})))",
    "grad": f"jax.grad(lambda f: (call({NAMES}), f)[1])(f)",
}
#: Calls that fail when they are transformed and are not reported. The interpreter does not know NumPy's generators, and it does
#: not format texts. The last call fails because of a shape, in a function that JAX compiles.
MISSED = {"np.random.default_rng(0).normal(size=n)", '"%d" % n', "lax.clamp(0.0, v, f)"}


@pytest.fixture(scope="module")
def accepted() -> list[str]:
    """The calls that JAX accepts where the arrays have numbers."""
    return [call for call in CALLS if is_accepted(HEAD, call)]


def is_accepted(head: str, call: str) -> bool:
    """Whether a program runs."""
    scope: dict[str, Any] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(head, scope)  # noqa: S102  # the head of the program below
        try:
            eval(call, scope)  # a call of the tables
        except Exception:  # it is refused, for whatever reason
            return False
    return True


def errors_of(child: Evaluator, folder: Path, text: str) -> list[Refusal]:
    """What JAX refuses in a program. Its calls have one key, which rules would warn of."""
    report = evaluate_text(child, folder, text)
    assert not report.incomplete
    return [refusal for refusal in report.refusals if refusal.kind not in KINDS_OF_RULES]


def test_nothing_is_refused_that_has_a_number(child: Evaluator, tmp_path: Path, accepted: list[str]) -> None:
    assert len(accepted) / len(CALLS) >= sweeps.floor("calls", FEWEST, len(CALLS))
    text = HEAD + "".join(f"r{i} = {call}\n" for i, call in enumerate(accepted))
    errors, first = errors_of(child, tmp_path, text), HEAD.count("\n") + 1
    assert {accepted[error.line - first]: error.message for error in errors} == {}


@pytest.mark.parametrize("how", TRANSFORMED)
def test_exactly_what_fails_is_refused(
    child: Evaluator, tmp_path: Path, accepted: list[str], how: str
) -> None:
    text, calls, failing = HEAD, {}, set()
    for call in accepted:
        function = f"def call({NAMES}):\n    r = {call}\n    return x\n"
        calls[text.count("\n") + 2] = call
        if not is_accepted(HEAD + function, TRANSFORMED[how]):
            failing.add(call)
        text += f"{function}{TRANSFORMED[how]}\n"
    reported = {calls[error.line] for error in errors_of(child, tmp_path, text)}
    assert reported <= failing
    assert failing - reported <= MISSED
