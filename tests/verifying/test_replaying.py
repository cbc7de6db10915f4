"""Functions whose arguments annotations do not tell: functions that the module passes, and calls that were recorded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from annotating.facts_by_hand import call, floats, instance, seen
from jaxtyping_core.cli.app import app
from jaxtyping_core.recording.fact_writer import Writer
from jaxtyping_core.recording.observed import DTYPE, Call, Function, Items, Object

PROGRAM = """
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar
import jax
import jax.numpy as jnp
import optax
from jaxtyping_core.typing import Float32

N = TypeVar("N", bound=int)
M = TypeVar("M", bound=int)

class Pair(NamedTuple):
    left: Any
    right: Any

def dense(params: dict[str, Any], x: Float32[N, M]) -> Float32[N, Any]:
    return x @ params["out"]["w"]

def dense_wrong(params: dict[str, Any], x: Float32[N, M]) -> Float32[N, M]:
    return x @ params["out"]["w"]

def first(pair: Pair, x: Float32[N]) -> Float32[N]:
    return pair.left + x

def other_text(params: dict[str, Any], x: Float32[N]) -> Float32[N]:
    return params["now another key"] + x

def masked(of: dict, x: Float32[N]) -> Float32[Any]:
    return x[x > of["least"]]

def applied(f: Callable, x: Float32[N]) -> Float32[N]:
    return f(x)

def applied_wrong(f: Callable, x: Float32[N]) -> Float32[N, N]:
    return f(x)

def of_three(f: Callable[[Any], Any], x: Float32[N]) -> Float32[N]:
    return f(x)

def never_called(f: Callable, x: Float32[N]) -> Float32[N]:
    return f(x)

def lorenz(x):
    return x + jnp.zeros(3)

def of_dtype(x: Float32[N], dtype: jax.typing.DTypeLike) -> Float32[N]:
    return x.astype(dtype)

def activated(x: Float32[N], mode: str) -> Float32[N]:
    if mode == "relu":
        return jax.nn.relu(x)
    assert mode == "none"
    return x

def of_text(x: Float32[N], kind: str) -> Float32[N]:
    return {"forth": x, "back": x[::-1]}[kind]

def of_text_wrong(x: Float32[N], kind: str) -> Float32[N]:
    return {"first": x[:1], "last": x[-1:]}[kind]

def with_default(x, kind="back", other="last"):
    return of_text(x, kind), of_text_wrong(x, other)

def of_state(state: optax.OptState, x: Float32[N]) -> Float32[N]:
    return x + state[0].trace

def named(kind: str, x: Float32[N]) -> Float32[N]:
    return x

def repeated(x: Float32[N], rows: dict[str, int]) -> Float32[N]:
    return jnp.concatenate([x] * (1 if rows.get("a", 1) < 3 else 2))

def of_caller(f: Callable, x: Float32[N]) -> Float32[N]:
    return f(x)

def differentiated(f: Callable, x: Float32[N]) -> Float32[()]:
    return f(x).sum()

def of_loop(f: Callable, x: Float32[N]) -> Float32[N]:
    return f(x)

def caller(x, of, *, other):
    return of_caller(of, x), jax.grad(differentiated, argnums=1)(other, x)

class Scaler:
    def __init__(self, power):
        self.power = power
        self.scale = None
        self.kind = "standard"

    def fit(self, x: Float32[N, M]) -> "Scaler":
        self.scale = x.std(axis=0)
        return self

    def transform(self, x: Float32[N, M]) -> Float32[N, M]:
        return (x / self.scale) ** self.power

    def transposed(self, x: Float32[N, M]) -> Float32[N, M]:
        return (x / self.scale).T

    def of_kind(self, x: Float32[N, M]) -> Float32[N, M]:
        return x if self.kind == "standard" else x.T

    @property
    def widest(self) -> Float32[()]:
        return self.scale.max()

class Counter:
    def __init__(self, x):
        self.seen = x

    def total(self, x: Float32[N]) -> Float32[N]:
        return x + self.seen

def main():
    caller(jnp.ones(3), jnp.tanh, other=jnp.sin)
    for each in jnp.tanh, jnp.sin:
        of_loop(each, jnp.ones(3))
    applied(jax.nn.relu, x=jnp.ones(3))
    applied(lambda x: 2 * x, jnp.ones(3))
    applied_wrong(f=jnp.tanh, x=jnp.ones(3))
    of_three(lorenz, jnp.ones(3))
"""
X, W = floats(5, 2), floats(2, 3)
TRACE = Items("tuple", (floats(4),), "optax._src.transform.TraceState", ("trace",))
CALLS: dict[str, Call] = {
    "dense": call(floats(5, 3), params={"out": {"w": W}}, x=X),
    "dense_wrong": call(floats(5, 3), params={"out": {"w": W}}, x=X),
    "first": call(floats(4), pair=instance("Pair", left=floats(4), right=1), x=floats(4)),
    "other_text": call(floats(4), params={"key": floats(4)}, x=floats(4)),
    "masked": call(floats(4), of={"least": 0.1}, x=floats(4)),
    "of_dtype": call(floats(4), x=floats(4), dtype=Object(DTYPE)),
    "of_text_wrong": call(floats(1), x=floats(4), kind="first"),
    "of_state": call(floats(4), state=(TRACE,), x=floats(4)),
    "named": call(floats(4), kind="a", x=floats(4)),
    "repeated": call(floats(8), x=floats(4), rows={"a": 3}),
    "Scaler.transform": call(X, self=Object("__main__.Scaler"), x=X),
    "Scaler.transposed": call(X, self=Object("__main__.Scaler"), x=X),
    "Scaler.of_kind": call(X, self=Object("__main__.Scaler"), x=X),
    "Scaler.widest": call(floats(), self=Object("__main__.Scaler")),
    "Counter.total": call(floats(4), self=Object("__main__.Counter"), x=floats(4)),
}
#: What objects had: the scale once it was there, and other sizes in each counter.
ATTRIBUTES: list[tuple[str, str, object]] = [
    ("Scaler", "power", 2),
    ("Scaler", "scale", None),
    ("Scaler", "scale", floats(2)),
    ("Scaler", "kind", "standard"),
    ("Scaler", "never", None),
    ("Counter", "seen", floats(4)),
    ("Counter", "seen", floats(3)),
]
EXPECTED = {
    "dense": "is tested: with the arguments of 1 recorded call",
    "dense_wrong": "returns float32[5, 3] for params: {'out': {'w': float32[2, 3]}}, x: float32[5, 2], in a recorded call",
    "first": "is tested: with the arguments of 1 recorded call",
    "other_text": "is not checked: ",  # what was recorded does not do any more
    "masked": "is tested: with the arguments of 1 recorded call",
    "repeated": "returns float32[8] for x: float32[4], rows: {'a': 3}, in a recorded call",
    "applied": "is tested: ",
    "of_three": "is tested: ",  # for all sizes that `lorenz` takes, and no contradiction for others
    "of_caller": "is tested: ",
    "of_loop": "is tested: ",
    "differentiated": "is tested: ",
    "Scaler.transform": "is tested: with the arguments of 1 recorded call",
    "Scaler.transposed": "returns float32[2, 5] for x: float32[5, 2], in a recorded call",
    "Scaler.of_kind": "is not checked: ",  # no text is kept
    "Scaler.widest": "is tested: with the arguments of 1 recorded call",
    "Counter.total": "is not checked: ",
    "never_called": "is not checked: f: it is a function",
    "of_dtype": 'is tested: for some made-up arguments, "of_dtype" returns int32[2]',
    "activated": "is tested: ",
    "of_text": "is tested: ",
    "of_text_wrong": "is not checked: ",  # the recorded call was with another text, perhaps
    "of_state": "is tested: with the arguments of 1 recorded call",
    "named": "is not checked: ",
}


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    folder: Path = tmp_path_factory.mktemp("replayed")
    file = folder / "replayed_program.py"
    file.write_text(PROGRAM)
    writer = Writer(folder / "facts.sqlite3")
    number = writer.file(file.resolve(), "of the text before it was annotated")
    for name, each in CALLS.items():
        writer.add_calls(number, Function(name, 1), [(each, 1)])
    for owner, attribute, value in ATTRIBUTES:
        writer.add_attribute(number, owner, attribute, seen(value))
    writer.close()
    done = CliRunner().invoke(app, ["verify", "--all", "--from", str(writer.path), str(file)])
    assert done.exit_code == 1, done.output
    lines = [line for line in done.output.splitlines() if '"' in line]
    yield {line.partition('"')[2].partition('"')[0]: line for line in lines}


@pytest.mark.parametrize(("name", "expected"), EXPECTED.items())
def test_what_is_said(said: dict[str, str], name: str, expected: str) -> None:
    assert expected in said[name]


def test_a_function_that_is_passed_contradicts_nothing(said: dict[str, str]) -> None:
    """It may be one for some sizes alone, and which these are is not known."""
    assert "error" not in said["applied_wrong"]


def test_facts_that_are_not_there_are_an_error(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["verify", "--from", str(tmp_path / "no.sqlite3"), "json"])
    assert done.exit_code == 2
