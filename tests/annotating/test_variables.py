"""Variables that are annotated: of which a run showed one dtype, and mypy shows none."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path

import pytest

from annotating.facts_by_hand import STYLES, call, floats
from annotating.holding import wrong_variables
from jaxtyping_core.annotating.assigning import with_variables
from jaxtyping_core.annotating.assignments import Assignment, still_open
from jaxtyping_core.annotating.copies import Copies, Error
from jaxtyping_core.annotating.planning import Level, Plan
from jaxtyping_core.annotating.proving import prove
from jaxtyping_core.annotating.source import Source
from jaxtyping_core.annotating.walking import Walks
from jaxtyping_core.recording.observed import Array, Function, Observed, Scalar
from jaxtyping_core.recording.store import FileFacts, Place
from jaxtyping_core.settings import Settings

TEXT = """\
import functools
import jax.numpy as jnp


def loss(model, x, y):
    n = len(x)
    pred = model(
        x,
    )  # opaque
    mean = jnp.mean(y)

    def inner(z):
        w = model(z)
        return w

    return jnp.mean((pred - y) ** 2) + n


def step(f, x):
    u = v = f(x)
    a, b = x, f(x)
    if True: c = f(x)
    return c
"""
FILE = Path("module.py")


def _plan(text: str, seen: Mapping[str, list[Observed]], file: Path = FILE, style: str = "native") -> Plan:
    """What is planned for a module of whose variables something was seen, and of the first function, too."""
    source = Source.of(file, text, ast.parse(text))
    facts = FileFacts("")
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in seen:
            facts.places[Place(node.lineno, node.col_offset, node.id)] = frozenset(seen[node.id])
    definition = source.definitions[0]
    x = floats(5, 3)
    facts.calls[Function(definition.qualname, definition.node.lineno)] = {call(floats(), x=x, y=floats(5)): 1}
    walks = Walks(file, Settings(programs=False), {})
    return Plan(source, facts, walks, STYLES[style](source, False), with_places=True)


def _written(plan: Plan, text: str) -> list[str]:
    """The lines that are written anew in bodies."""
    levels: dict[int, Level] = {}
    new = plan.write(text.encode(), levels, plan.assignments).decode().splitlines()
    return [line.strip() for line in new if line not in text.splitlines() and line.startswith("    ")]


def test_arrays_of_one_dtype_are_written() -> None:
    plan = _plan(TEXT, {"pred": [floats(5), floats(7)], "w": [floats(2)], "c": [floats(dtype="int32")]})
    assert _written(plan, TEXT) == [
        "pred: Float32 = model(",
        "w: Float32 = model(z)",
        "if True: c: Int32 = f(x)",
    ]
    text = plan.write(TEXT.encode(), {}, plan.assignments).decode()
    assert "    )  # opaque\n" in text
    assert "from jaxtyping_core.typing import Float32, Int32\n" in text
    compile(text, "module.py", "exec")


def test_in_the_other_style() -> None:
    plan = _plan(TEXT, {"w": [floats(2)]}, style="jaxtyping")
    assert _written(plan, TEXT) == ['w: Float32[Array, "..."] = model(z)']


@pytest.mark.parametrize(
    "seen",
    [
        [floats(5), floats(5, dtype="bfloat16")],
        [floats(library="numpy")],
        [floats(5, library="numpy"), floats(5)],
        [floats(5, library="numpy", dtype="bfloat16")],
        [floats(weak=True)],
        [floats(5), Scalar("float")],
        [Array("key<fry>", ())],
        [Scalar("NoneType"), floats(5)],
        [],
    ],
)
def test_what_is_not_certain_stays_open(seen: list[Observed]) -> None:
    assert _plan(TEXT, {"pred": seen}).assignments == []


MODULE = """\
import numpy as np
import pickle

data = pickle.loads(b"")


def loss(x, y):
    return x


late = pickle.loads(b"")
"""


def test_variables_of_a_module() -> None:
    plan = _plan(MODULE, {"data": [floats(5, 3, library="numpy", dtype="float64")], "late": [floats(5)]})
    text = plan.write(MODULE.encode(), {}, plan.assignments).decode()
    assert 'data: NDArray[np.float64] = pickle.loads(b"")\n' in text
    assert 'late: Float32 = pickle.loads(b"")\n' in text
    assert "from numpy.typing import NDArray\n" in text
    exec(text.replace('pickle.loads(b"")', "1"), {})  # all that is written is there by then  # noqa: S102


def test_variables_of_a_module_above_an_import_stay_open() -> None:
    text = MODULE + "import os\n"
    assert _plan(text, {"data": [floats(5)], "late": [floats(5)]}).assignments == []


def test_arrays_of_numpy_in_the_other_style() -> None:
    plan = _plan(MODULE, {"data": [floats(5, library="numpy")]}, style="jaxtyping")
    text = plan.write(MODULE.encode(), {}, plan.assignments).decode()
    assert 'data: Float32[np.ndarray, "..."] = pickle' in text


def test_several_names_and_tuples_stay_open() -> None:
    assert _plan(TEXT, {name: [floats(5)] for name in ("u", "v", "a", "b")}).assignments == []


def test_only_where_it_was_asked_for() -> None:
    plan = _plan(TEXT, {"pred": [floats(5)]})
    assert "pred: Float32" not in plan.write(TEXT.encode(), {}).decode()


def test_mypy_is_asked_of_each() -> None:
    plan = _plan(TEXT, {"pred": [floats(5)], "mean": [floats()], "w": [floats(2)], "c": [floats(2)]})
    text = plan.write(TEXT.encode(), {}, (), plan.assignments)
    lines = text.decode().splitlines()
    at = {
        name: next(i for i, line in enumerate(lines, 1) if f"{name} = reveal_type(" in line)
        for name in ("pred", "mean", "w", "c")
    }
    shown = {
        at["pred"]: "Any",
        at["mean"]: "jax._src.basearray.Array[jax._src.numpy.scalar_types.float32, tuple[()]]",
        at["w"]: "jax._src.basearray.Array[Any, tuple[()]]",
        at["c"]: "jax._src.basearray.Array[float32, Any] | jax._src.basearray.Array[Any, Any]",
    }
    open_ = still_open(text, plan.assignments, shown)
    assert [TEXT.splitlines()[each] for each in _lines(open_, plan)] == [
        "    pred = model(",
        "        w = model(z)",
        "    if True: c = f(x)",
    ]


def test_what_reads_a_variable_is_asked_again_when_that_is_annotated(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "def f(g, x):\n    a = g(x)\n    b = a + 1\n    c = g(b)\n    return c\n"
    plan = _plan(text, {name: [floats(5)] for name in ("a", "b", "c")})
    asked: list[list[str]] = []

    def revealed(self: Copies, contents: Mapping[Path, bytes]) -> dict[Path, dict[int, str]]:
        lines = contents[FILE].decode().splitlines()
        asked.append([line.strip() for line in lines if "reveal_type" in line or ": Float32 =" in line])
        is_known = any("a: Float32" in line for line in lines)
        shown = {n: "Any" for n, line in enumerate(lines, 1) if not (is_known and "b = " in line)}
        return {FILE: shown}

    monkeypatch.setattr(_Checked, "revealed", revealed)
    written = with_variables(
        {FILE: (plan, text.encode())}, {FILE: {}}, _Checked(set()), {FILE: b""}, {FILE: []}
    )
    assert asked == [
        ["a = reveal_type(g(x))", "b = reveal_type(a + 1)", "c = reveal_type(g(b))"],
        ["a: Float32 = g(x)", "b = reveal_type(a + 1)", "c = reveal_type(g(b))"],
    ]
    new = written[FILE].decode().splitlines()
    assert [line.strip() for line in new if line[:4] == "    " and "return" not in line] == [
        "a: Float32 = g(x)",
        "b = a + 1",
        "c: Float32 = g(b)",
    ]


def _lines(assignments: list[Assignment], plan: Plan) -> list[int]:
    nodes = [node for node in ast.walk(plan.source.tree) if isinstance(node, ast.Assign)]
    nodes.sort(key=lambda node: (node.lineno, node.col_offset))
    return [nodes[each.number].lineno - 1 for each in assignments]


def test_a_program_that_asks_mypy_itself_has_none() -> None:
    assert _plan(TEXT + "reveal_type(1)\n", {"pred": [floats(5)]}).assignments == []


class _Checked(Copies):
    """Knows nothing of any variable, and finds errors wherever one is annotated as one of these, and at these lines unless a text has one."""

    def __init__(self, refused: set[str], times: int = 1, unless: str = "") -> None:
        self._refused = refused
        self._times = times
        self._unless = unless

    def revealed(self, contents: Mapping[Path, bytes]) -> dict[Path, dict[int, str]]:
        return {path: dict.fromkeys(range(99), "Any") for path in contents}

    def errors(self, contents: Mapping[Path, bytes]) -> dict[Path, list[Error]]:
        return {
            path: [
                Error(number, "assignment", "Incompatible types")
                for number, line in enumerate(text.decode().splitlines(), 1)
                for _ in range(self._times)
                if line.strip().partition(":")[0] in self._refused
                and not (self._unless and f" {self._unless}" in text.decode())
            ]
            for path, text in contents.items()
        }


@pytest.mark.parametrize(
    ("refused", "left"),
    [
        (set(), ["pred: Float32 = model(", "w: Float32 = model(z)", "if True: c: Float32 = f(x)"]),
        ({"w"}, ["pred: Float32 = model(", "if True: c: Float32 = f(x)"]),
        ({"pred"}, ["w: Float32 = model(z)", "if True: c: Float32 = f(x)"]),
        ({"pred", "w", "if True"}, []),
    ],
)
def test_an_error_leaves_the_functions_around_it_without(refused: set[str], left: list[str]) -> None:
    plan = _plan(TEXT, {name: [floats(5)] for name in ("pred", "w", "c")})
    heads = {FILE: plan.write(TEXT.encode(), {})}
    written = with_variables({FILE: (plan, TEXT.encode())}, {FILE: {}}, _Checked(refused), heads, {FILE: []})
    new = [line.strip() for line in written[FILE].decode().splitlines()]
    assert [line for line in new if ": Float32 = " in line] == left


def test_two_errors_at_one_line_leave_other_functions_theirs() -> None:
    plan = _plan(TEXT, {name: [floats(5)] for name in ("pred", "c")})
    heads = {FILE: plan.write(TEXT.encode(), {})}
    check = _Checked({"pred"}, times=2)
    written = with_variables({FILE: (plan, TEXT.encode())}, {FILE: {}}, check, heads, {FILE: []})
    new = [line.strip() for line in written[FILE].decode().splitlines()]
    assert [line for line in new if ": Float32 = " in line] == ["if True: c: Float32 = f(x)"]


def test_an_error_below_a_variable_leaves_what_it_names_open() -> None:
    text = TEXT.replace("return jnp.mean((pred", "mean = jnp.mean((pred")
    plan = _plan(text, {name: [floats(5)] for name in ("pred", "w", "c")})
    heads = {FILE: plan.write(text.encode(), {})}
    lines = heads[FILE].decode().splitlines()
    assert len(lines) > 5
    check = _Checked({"mean = jnp.mean((pred - y) ** 2) + n"}, unless="pred = model(")
    written = with_variables({FILE: (plan, text.encode())}, {FILE: {}}, check, heads, {FILE: []})
    new = [line.strip() for line in written[FILE].decode().splitlines()]
    assert [line for line in new if ": Float32 = " in line] == [
        "w: Float32 = model(z)",
        "if True: c: Float32 = f(x)",
    ]


@pytest.mark.one_python
def test_with_mypy(tmp_path: Path) -> None:
    text = (
        "import pickle\n\nimport jax.numpy as jnp\n\n\n"
        "def loss(x, y):\n"
        "    model = pickle.loads(b'')\n"
        "    pred = model(x)\n"
        "    known = jnp.sum(x)\n"
        "    return jnp.mean(pred - y) + known\n\n\n"
        "def wrong(x, y):\n"
        "    size = pickle.loads(b'')\n"
        "    return size.missing\n"
    )
    file = tmp_path / "module.py"
    file.write_text(text)
    plan = _plan(text, {"pred": [floats(5)], "known": [floats()], "size": [floats()]}, file)
    proven, _ = prove({file: (plan, text.encode())})
    written = proven[file].content.decode()
    assert "    pred: Float32 = model(x)\n    known = jnp.sum(x)\n" in written
    assert "    size = pickle" in written
    assert proven[file].left == []


def test_a_run_contradicts_what_is_wrong() -> None:
    text = "def f(g):\n    x: Float32 = g()\n"
    place = Place(2, 4, "x")
    assert list(wrong_variables(text, {place: [floats(3)]})) == []
    assert len(list(wrong_variables(text, {place: [floats(3), floats(3, dtype="int32")]}))) == 1
