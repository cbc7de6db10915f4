"""What the child refuses to do: it runs nothing but JAX, reads and writes no files, and garbage does not end it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from calls import Call, F, call, static

from jaxtyping_core.evaluation.client import CHILD, Evaluator
from jaxtyping_core.evaluation.protocol import request


@pytest.mark.parametrize(
    "function",
    [
        "os.getcwd",
        "builtins.len",
        "len",
        "numpy.zeros",
        "jax._src.config.update",
        "jax.numpy.__loader__",
        "jax.version.os.getcwd",
        "jax.no_such_name",
        "jax.numpy.no_such.name",
        "operator.no_such_name",
        "method:no_such_name",
        "no_such_kind:sum",
        "",
    ],
)
def test_only_names_of_jax(evaluator: Evaluator, function: str) -> None:
    answer = Call(function, (F,), {}).ask(evaluator)
    assert answer.result is None
    assert answer.error is None
    assert answer.unknown
    assert call("jnp.sin", F).ask(evaluator).result == F


def test_no_files(evaluator: Evaluator, tmp_path: Path) -> None:
    """A type does not depend on files, and a pickle would run code."""
    data, target = tmp_path / "data.npy", tmp_path / "target.npy"
    np.save(data, np.zeros(3))
    answers = [
        call("jnp.load", static(str(data))).ask(evaluator),
        call("jnp.save", static(str(target)), static(1.0)).ask(evaluator),
        call("jnp.savez", static(str(target)), static(1.0)).ask(evaluator),
    ]
    assert [answer.result for answer in answers] == [None] * 3
    assert list(tmp_path.iterdir()) == [data]


GOOD = request("jax.numpy.sin", [F], {}, x64=False, promotion="standard")
GARBAGE = [
    b"",
    b"not json",
    b"\xff\xfe",
    b"[]",
    b"null",
    b"{}",
    *(
        json.dumps({**GOOD, **changed}).encode()
        for changed in (
            {"function": 3},
            {"args": 3},
            {"args": [[]]},
            {"args": [["no such tag"]]},
            {"args": [["array", "float33", False, [3]]]},
            {"args": [["array", "float32", False, ["B +"]]]},
            {"args": [["array"]]},
            {"kwargs": {"x": []}},
            {"promotion": "loose"},
        )
    ),
]


def test_garbage_does_not_end_the_child() -> None:
    text = b"".join(line + b"\n" for line in (*GARBAGE, json.dumps(GOOD).encode()))
    command = [sys.executable, "-E", "-P", str(CHILD)]
    done = subprocess.run(command, input=text, capture_output=True, check=True)
    ready, *others, last = [json.loads(line) for line in done.stdout.splitlines()]
    assert ready == {"ready": True}
    assert last == {"result": F}
    assert len(others) == len(GARBAGE)
    assert all(set(answer) <= {"unknown", "fault"} and answer["unknown"] for answer in others)


def test_the_child_is_one_file() -> None:
    """It runs under an interpreter that need not have this package."""
    lines = CHILD.read_text(encoding="utf-8").splitlines()
    imports = [line for line in lines if line.lstrip().startswith(("import ", "from "))]
    # ... but for the array layer, where a call is one of its.
    assert [line for line in imports if "jaxtyping" in line] == [
        "        import jaxtyping_core.numpy as found"
    ]
