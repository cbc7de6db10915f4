"""What the child refuses to do: it runs nothing but JAX, reads and writes no files, and garbage does not end it."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from calls import Call, F, call

from jaxtyping_core.domain.values import Static, encode
from jaxtyping_core.evaluation.client import CHILD, Evaluator
from jaxtyping_core.evaluation.protocol import request

pytestmark = pytest.mark.own_processes  # the wall is that of a new process


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
        call("jnp.load", Static(str(data))).ask(evaluator),
        call("jnp.save", Static(str(target)), Static(1.0)).ask(evaluator),
        call("jnp.savez", Static(str(target)), Static(1.0)).ask(evaluator),
    ]
    assert [answer.result for answer in answers] == [None] * 3
    assert list(tmp_path.iterdir()) == [data]


GOOD = request("jax.numpy.sin", [F], {}, x64=False, promotion="standard")
#: No request: it tells a child that evaluates programs to stop.
EMPTY = b""
GARBAGE = [
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
            {"args": [["array", ["float33"], False, [3], False]]},
            {"args": [["array", ["float32"], False, ["B +"], False]]},
            {"args": [["array"]]},
            {"kwargs": {"x": []}},
            {"promotion": "loose"},
        )
    ),
]


def test_garbage_does_not_end_the_child() -> None:
    text = b"".join(line + b"\n" for line in (*GARBAGE, EMPTY, json.dumps(GOOD).encode()))
    command = [sys.executable, "-E", "-P", str(CHILD)]
    done = subprocess.run(command, input=text, capture_output=True, check=True)
    ready, *others, last = [json.loads(line) for line in done.stdout.splitlines()]
    assert ready["ready"]
    assert last == {"result": encode(F)}
    assert len(others) == len(GARBAGE)
    assert all(set(answer) <= {"unknown", "fault"} and answer["unknown"] for answer in others)


#: The folders and modules beside `evaluation` that the child imports as they are, without their package's ``__init__.py``.
BESIDE = {"domain", "sampling", "engine", "identity"}


def test_what_the_child_imports() -> None:
    """It runs under an interpreter that need not have this package."""
    imported: dict[str, set[str]] = {}
    names = {name for path in CHILD.glob("*.py") for name in relatively_imported(path, level=2)}
    wall = CHILD.parent / "wall"
    assert names == {"parent", "protocol", "progress", wall.name}
    shared = {f"{name}.py" for name in names - {wall.name}}
    beside = {
        name.partition(".")[0]
        for path in CHILD.rglob("*.py")
        for name in relatively_imported(path, level=2 + len(path.relative_to(CHILD).parts))
    }
    assert beside <= BESIDE
    package = CHILD.parents[1]
    layers = [path for name in beside for path in (package / name).rglob("*.py")]
    layers += [path for name in beside if (path := package / f"{name}.py").is_file()]
    for path in [*CHILD.glob("*.py"), *wall.glob("*.py"), *(CHILD.parent / name for name in shared), *layers]:
        for name in absolutely_imported(path) - sys.stdlib_module_names:
            imported.setdefault(name, set()).add(path.name)
    for name in shared:
        assert {f"{other}.py" for other in relatively_imported(CHILD.parent / name, level=1)} <= shared
    assert "jaxtyping_core" not in imported  # `package.py` has it, for the array layer and for annotations
    assert set(imported) == {"jax", "numpy"}


def imports(path: Path) -> Iterator[ast.Import | ast.ImportFrom]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node


def relatively_imported(path: Path, level: int) -> set[str]:
    """The modules that a file imports from so many packages above it."""
    inside = [node for node in imports(path) if isinstance(node, ast.ImportFrom) and node.level == level]
    of_package = {alias.name for node in inside if node.module is None for alias in node.names}
    return of_package | {node.module for node in inside if node.module is not None}


def absolutely_imported(path: Path) -> set[str]:
    """The packages that a file imports by their names."""
    names: set[str] = set()
    for node in imports(path):
        if isinstance(node, ast.Import):
            names.update(alias.name.partition(".")[0] for alias in node.names)
        elif node.level == 0:
            names.add(str(node.module).partition(".")[0])
    return names


END = "import os\nos._exit(9)\n"


def test_modules_of_the_child_stand_before_no_others(tmp_path: Path) -> None:
    """Python puts the folder that it runs first on the path; a copy alone, under another name, serves as well."""
    package = shutil.copytree(CHILD.parents[1], tmp_path / "package")
    copied = package / CHILD.parent.name
    folder = (copied / CHILD.name).rename(copied / "other")
    for name in ("jax", "numpy", "json", "sitecustomize"):
        for place in (copied, folder):
            (place / f"{name}.py").write_text(END)
    for place in (package, copied):
        (place / "__init__.py").write_text(END)  # imports the package proper, which need not be there
    line = json.dumps(GOOD).encode() + b"\n"
    done = subprocess.run(
        [sys.executable, "-E", "-P", f"{folder.parent}/./{folder.name}/"],
        input=line,
        capture_output=True,
        check=True,
        cwd=folder,
    )
    ready, answer = [json.loads(line) for line in done.stdout.splitlines()]
    assert ready["ready"]
    assert answer == {"result": encode(F)}
