"""What the evaluation says of calls, each on a line of its own in one program."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evaluating import evaluate

from jaxtyping_core.evaluation.client import Evaluator

#: The dtype and the shape, each None where it is not known.
Claim = tuple[str | None, Any]


def claims_of(file: Path, setting: str, expressions: Mapping[str, str]) -> dict[str, Claim]:
    """What is said of each call after the lines of `setting`; the values are the arrays that are made of their results."""
    file.write_text(setting + "".join(f"out = {expression}\n" for expression in expressions.values()))
    first = len(setting.splitlines()) + 1
    child = Evaluator(sys.executable)
    try:
        report = evaluate(child, file)
    finally:
        child.close()
    assert not report.refusals
    claims = {place.line - first: (place.dtype, place.shape) for place in report.places}
    return {call: claims.get(number, (None, None)) for number, call in enumerate(expressions)}


def holds(claim: Claim, of_run: str, sizes: tuple[int, ...]) -> bool:
    """Whether a claim holds for the dtype and the sizes of a run; a size that is no number says nothing."""
    dtype, shape = claim
    if shape is not None and len(shape) != len(sizes):
        return False
    sizes_hold = shape is None or all(
        type(dim) is not int or dim == size for dim, size in zip(shape, sizes, strict=True)
    )
    return dtype in (None, of_run) and sizes_hold
