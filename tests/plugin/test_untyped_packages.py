"""Functions of a trusted package that says nothing of types, which mypy follows where the configuration says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness import run_mypy

PROGRAM = """\
from typing import TypeVar

import jax.numpy as jnp
import optax
from optax import l2_loss
from jaxtyping_core.typing import BFloat16, Int32

B = TypeVar("B")
C = TypeVar("C")

def loss(logits: BFloat16[B, C], labels: Int32[B]) -> None:
    each = optax.softmax_cross_entropy_with_integer_labels(logits, labels)
    reveal_type(each)  # BFloat16[B]
    reveal_type(each.mean())  # BFloat16[()]
    reveal_type(l2_loss(logits))  # BFloat16[B, C]
    reveal_type(optax.losses.l2_loss(logits))  # BFloat16[B, C]
"""
FOLLOWED = "[mypy-optax.*]\nfollow_untyped_imports = True\n"


@pytest.mark.one_python
def test_a_function_that_a_package_names_by_an_assignment_is_evaluated(tmp_path: Path) -> None:
    said = run_mypy({"program": PROGRAM}, tmp_path, FOLLOWED)["program"]
    shapes = ["tuple[B]", "tuple[()]", "tuple[B, C]", "tuple[B, C]"]
    revealed = [f'N: Revealed type is "Array[bfloat16, {shape}]"' for shape in shapes]
    lines = [i for i, line in enumerate(PROGRAM.splitlines(), 1) if "reveal_type" in line]
    assert said == {line: [text] for line, text in zip(lines, revealed, strict=True)}
