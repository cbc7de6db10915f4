"""What is recorded of programs is what wrappers see that stand in their source."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from jaxtyping_core.recording.observed import Array, Cut, Dict, Items, Object, Observed, Scalar

from . import truth
from .running import facts, recorded

PLAIN = Path(__file__).parents[1] / "programs" / "plain"
#: Classes, pytrees, transformations and decorators; each takes seconds to run twice: all where ALL_PROGRAMS is set.
SAMPLE = ("own_decorators", "pytree_classes")
#: Beartype and jaxtyping see the wrapper instead of the function there, and let calls through that they would refuse.
MISTAKEN = ("kalman_jaxtyping",)
ALL = sorted(file.stem for file in PLAIN.glob("*.py") if file.stem not in MISTAKEN)
PROGRAMS = ALL if os.environ.get("ALL_PROGRAMS") else SAMPLE


def seen(value: Observed | None) -> Any:
    """An observation as `truth.seen` has the value; None where that says nothing."""
    match value:
        case None:
            return "raised"
        case Scalar(kind):
            return "NoneType" if kind == "None" else kind
        case Array(dtype, dims, weak):
            return [dtype, list(dims), weak]
        case Items(_, items, None):
            return {"items": [seen(item) for item in items]}
        case Dict(keys, items, None):
            return {str(key): seen(item) for key, item in zip(keys, items, strict=True)}
        case Cut():
            return Ellipsis
    return None


def agree(recorded: Any, true: Any) -> bool:
    """Whether what was recorded of one value is what a wrapper saw; what only one of them looked into is passed over."""
    if recorded is None or true is None or recorded is Ellipsis:
        return True
    if isinstance(recorded, dict) and isinstance(true, dict):
        keys = [key for key in true if key in recorded]
        return (len(keys) == len(true)) and all(agree(recorded[key], true[key]) for key in keys)
    if isinstance(recorded, list) and isinstance(true, list) and recorded[-1:] == [Ellipsis]:
        return True
    if isinstance(recorded, list) and isinstance(true, list) and len(recorded) == len(true):
        return all(agree(*pair) for pair in zip(recorded, true, strict=True))
    return bool(recorded == true)


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_recorded_is_what_happened(tmp_path: Path, name: str) -> None:
    script = f"{name}.py"
    shutil.copytree(PLAIN, tmp_path, dirs_exist_ok=True)
    command = [sys.executable, truth.__file__, "truth.json", script]
    subprocess.run(
        command, cwd=tmp_path, check=True, capture_output=True, env={**os.environ, "JAX_PLATFORMS": "cpu"}
    )
    ended = recorded(tmp_path, script)
    assert ended.status == 0, ended.stderr
    true: dict[tuple[str, int], list[tuple[Any, int]]] = {}
    for call, count in json.loads((tmp_path / "truth.json").read_text()).items():
        qualname, line, *rest = json.loads(call)
        true.setdefault((qualname, line), []).append((rest, count))
    by_function = facts(tmp_path).files[(tmp_path / script).resolve()].calls
    generators = {
        function
        for function, calls in by_function.items()
        if any(
            isinstance(call.returned, Object) and call.returned.type == "builtins.generator" for call in calls
        )
    }
    assert {(function.qualname, function.line) for function in by_function} >= true.keys()
    counts: Counter[str] = Counter()
    for function, calls in by_function.items():
        if function in generators:
            continue
        at = true[function.qualname, function.line]
        assert sum(calls.values()) == sum(count for _, count in at), function
        kept = [
            ({name: seen(value) for name, value in call.arguments}, seen(call.returned)) for call in calls
        ]
        for got, gave in kept:  # each was seen
            counts["found"] += 1
            assert any(agree([got, gave], true) for true, _ in at), (function, got, gave)
        if len(kept) < 64:  # and each that was seen is kept
            for call, _ in at:
                counts["true"] += 1
                assert any(agree([got, gave], call) for got, gave in kept), (function, call)
    assert counts["found"]
    assert counts["true"]
