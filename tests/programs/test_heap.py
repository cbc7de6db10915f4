"""All that a walk changes, or real code that it calls, is noted before: states say what full snapshots say."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from full_snapshots import compared

from jaxtyping_core.engine import entries, session
from jaxtyping_core.engine.budget import Budget
from jaxtyping_core.engine.interpreter import Interpreter
from jaxtyping_core.engine.scopes import Module
from jaxtyping_core.engine.unresolved import Unresolved
from jaxtyping_core.engine.values import contents, heap
from jaxtyping_core.programs.evaluate import request
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings

pytestmark = pytest.mark.one_python  # long

TESTS = Path(__file__).parents[1]
FLAX = Path(next(iter((importlib.util.find_spec("flax") or sys).submodule_search_locations)))  # type: ignore[union-attr]
PROGRAMS = sorted(
    [
        *TESTS.glob("users/programs/*.py"),
        *TESTS.glob("annotated/programs/*.py"),
        *TESTS.glob("programs/plain/*.py"),
        *(file for file in TESTS.glob("programs/*.py") if not file.name.startswith("test_")),
        *(
            FLAX / name
            for name in ("nnx/rnglib.py", "nnx/statelib.py", "linen/linear.py", "linen/recurrent.py")
        ),
    ]
)
#: Branches, and calls of libraries that change what they are given or keep it.
PROGRAM = """\
import heapq
import flax.linen as nn
import jax
import jax.numpy as jnp
from flax import nnx
from unknown import flag, other


class Layer(nn.Module):
    @nn.compact
    def __call__(self, x):
        if flag():
            x = nn.Dense(4)(x)
        return nn.Dense(3)(x)


class Model(nnx.Module):
    def __init__(self, rngs):
        self.layer = nnx.Linear(3, 4, rngs=rngs)
        self.seen = []

    def __call__(self, x):
        if flag():
            self.seen.append(x)
            self.layer = None
        else:
            x = self.layer(x)
        return x


queue, table = [3, 1], {"a": jnp.ones(3)}
layer, x = Layer(), jnp.ones((2, 5))
params = layer.init(jax.random.key(0), x)
model = Model(nnx.Rngs(0))
for name in other():
    if flag():
        heapq.heappush(queue, 2)
        table.update(b=x)
        table["a"] = x
    elif flag():
        y = layer.apply(params, x)
        del table["a"]
    else:
        z = model(jnp.ones(3))
        vars(model).pop("seen", None)
    try:
        queue += [other()]
        params = jax.tree.map(lambda leaf: leaf + 1, params)
    except ValueError:
        queue.clear()
"""


@pytest.mark.parametrize("file", PROGRAMS, ids=lambda file: f"{file.parent.name}/{file.name}")
@pytest.mark.sweep("heap")
def test_states_of_programs(file: Path) -> None:
    evaluate(file)


def test_states_of_calls_of_libraries(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    assert evaluate(tmp_path / "program.py") > 30


def evaluate(file: Path) -> int:
    """How many states of the evaluation of a program were compared; none is wrong."""
    settings = Settings()
    (program,) = collect([file], settings.trusted)
    with compared() as comparison:
        session.evaluate(request(program, settings, 4.0, "")["program"])
    assert not comparison.faults, [*comparison.faults][:5]
    return comparison.compared


def test_what_is_not_noted_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    monkeypatch.setattr(heap, "changing", lambda value: None)
    with pytest.raises(AssertionError):
        evaluate(tmp_path / "program.py")


def test_states_do_not_go_into_the_walk_itself() -> None:
    """What a state of the heap has is joined and put back: the budget of the walk, say, must not be."""
    modules = {
        "program": {
            "path": "program.py",
            "text": "import helper\n\ndef f(x):\n    return helper.g(x)\n\ny = f(3)\n",
        },
        "helper": {"path": "helper.py", "text": "def g(x):\n    return [x]\n"},
    }
    interpreter, _ = session.begin({"entries": ["program"], "modules": modules, "trust": ["jax"]}, ())
    assert entries.run(interpreter, ["program"])
    scopes = [module.scope for module in interpreter.modules.values()]
    classes = {type(value) for value, _ in contents.reached(scopes, interpreter.scope_of)}
    assert Module in classes
    assert not classes & {Interpreter, Budget, Unresolved}
