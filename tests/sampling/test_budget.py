"""The limits of a run hold for samples as well."""

from __future__ import annotations

import importlib
import math
import time
from typing import Any

import pytest

from jaxtyping_core.engine import budget as of_run
from jaxtyping_core.engine import session, uncalled, uncalled_walks
from jaxtyping_core.engine.budget import INTERVAL, Budget
from jaxtyping_core.engine.control import Exhausted
from jaxtyping_core.engine.interpreter import Interpreter
from jaxtyping_core.engine.libraries.calls import abstract_calls, size_trials
from jaxtyping_core.engine.libraries.trust.policy import TrustPolicy
from jaxtyping_core.engine.values import arrays
from jaxtyping_core.programs.report import decode, facts_for_all


def test_each_sample_looks_at_the_time() -> None:
    budget = Budget(-1)
    budget.step()  # one of several before the time is looked at
    with pytest.raises(Exhausted):
        budget.sample()


def test_samples_count_as_steps() -> None:
    budget = Budget(math.inf)
    with budget.at_most(steps=1):
        budget.sample()
        with pytest.raises(Exhausted):
            budget.sample()


def test_a_call_ends_with_the_run() -> None:
    calls = 0

    def refusing(*args: Any) -> None:
        nonlocal calls
        calls += 1
        raise ValueError("no" * calls)  # in other words each time, so that further samples are tried

    refusing.__module__ = "jax.numpy"
    interpreter = Interpreter({}, TrustPolicy([]), math.inf)
    interpreter.budget.is_stopped = lambda: calls == 3
    with pytest.raises(Exhausted):
        abstract_calls.call_abstractly(interpreter, refusing, [arrays.array(None, None, None)], {})
    assert calls == 3 < INTERVAL


def test_a_call_of_known_arrays_is_a_sample() -> None:
    interpreter = Interpreter({}, TrustPolicy([]), -1)
    with pytest.raises(Exhausted):
        size_trials.really(interpreter, abs, [1], {})


def test_a_share_of_the_time_is_for_samples() -> None:
    budget = Budget(0.2)
    assert budget.has_share
    with budget.of_share():
        deadline = time.process_time() + 0.06  # more than a quarter
        while time.process_time() < deadline:
            pass
    assert not budget.has_share
    assert not budget.is_over
    budget.renew(10)
    assert budget.has_share


def test_what_layers_need_no_time_for_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where their share of the time is used up, calls with unknown inputs are left open, and all others are evaluated."""
    monkeypatch.setattr(of_run, "SHARE", 0.0)
    text = (
        "import jax.numpy as jnp\nfrom flax import nnx\nfrom nowhere import x\n"
        "layer = nnx.Linear(3, 4, rngs=nnx.Rngs(0))\ny = layer(x)\nknown = layer(jnp.ones((2, 3)))\nlast = known + 1\n"
    )
    answer = evaluated(text)
    known = {fact["name"]: (fact["dtype"], fact["shape"]) for fact in answer["facts"] if fact["is_array"]}
    assert known == {"known": ("float32", [2, 4]), "last": ("float32", [2, 4])}
    assert any("took too long" in note for note in answer["notes"])
    assert answer["complete"]


#: Loops within loops over what is not known: a round of each takes several of those within.
LOOPS = "".join(f"{'    ' * (depth + 1)}for i{depth} in n:\n" for depth in range(9))
SLOW = f"def slow(n, x):\n{LOOPS}{'    ' * 10}x = x + i8 * i7\n    return x\n"


def test_a_function_that_nothing_calls_takes_no_other_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uncalled_walks, "MOST_STEPS_ALONE", 300)
    text = (
        f"import jax.numpy as jnp\n{SLOW}"
        "def quick(x):\n    y = jnp.ones((2, 3)) * x\n    return y\n"
        "z = jnp.zeros(4)\n"
    )
    answer = evaluated(text)
    known = {fact["name"]: fact["shape"] for fact in answer["facts"] if fact["is_array"]}
    assert known["z"] == [4]
    assert answer["complete"]
    assert answer["lost"] == ["/program.py:2: left out, because it takes too long to evaluate"]
    assert {fact["line"] for fact in answer["facts"]}.isdisjoint(range(2, 13))
    assert any(fact["name"] == "y" for fact in answer["facts"])


def test_a_call_of_the_program_takes_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_run, "MOST_STEPS", 2_000)
    answer = evaluated(f"import jax.numpy as jnp\n{SLOW}from nowhere import n\ny = slow(n, jnp.ones(3))\n")
    assert not answer["complete"]


#: What is called before something slow is, and after it, where the time has ended.
CUT_OFF = f"""import jax.numpy as jnp
from nowhere import n
{SLOW}def early(x):
    w = x * 2
    return w
y = early(jnp.ones((3, 4)))
late = lambda v: [u := v][0]
k = late(y)
def main():
    a = early(jnp.ones((5, 2)))
    slow(n, a)
    b = early(jnp.ones(3, int))
main()
z = jnp.ones(3)
"""


def test_a_walk_that_ends_at_a_statement_keeps_what_was_known() -> None:
    """The statement is one of which the child did not get to the end, also where it was left out."""
    text = "import jax.numpy as jnp\nx = jnp.ones(2)\ndef f(v):\n    u = v * 2\n    w = u + 1\n    return w\ny = f(x)\n"
    answer = evaluated(text, ends=(0, 5, 4))
    assert _shapes(answer["facts"]) == {"x": [[2]]}
    assert _shapes(answer["so_far"]) == {"u": [[2]]}
    assert not answer["complete"]


def _shapes(facts: list[dict[str, Any]]) -> dict[str, list[Any]]:
    shapes: dict[str, list[Any]] = {}
    for fact in facts:
        if fact["is_array"] and not fact["is_parameter"]:
            shapes.setdefault(fact["name"], []).append(fact["shape"])
    return shapes


def test_what_is_known_when_the_time_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the top level that is certain; in a function, a later call might say otherwise, as one does here."""
    monkeypatch.setattr(of_run, "MOST_STEPS", 2_000)
    answer = evaluated(CUT_OFF)
    assert not answer["complete"]
    assert _shapes(answer["facts"]) == {"y": [[3, 4]], "k": [[3, 4]]}
    so_far = _shapes(answer["so_far"])
    assert so_far["w"] == [[3, 4], [5, 2]]
    assert so_far["a"] == [[5, 2]]
    assert so_far["u"] == [[3, 4]]
    assert "b" not in so_far and "z" not in so_far
    # Expressions are for type checkers, which believe what they are told.
    assert {line for _, line, *_ in answer["expressions"]} <= {1, 2, 18, 19, 20}
    assert any("took too long" in note and "/program.py:" in note for note in answer["notes"])


def test_what_a_program_may_still_call_another_one_does_not_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that did not come to its end has not called `early`, which another one calls."""
    text = CUT_OFF.replace("y = early(jnp.ones((3, 4)))", "y = slow(n, jnp.ones(3))")
    monkeypatch.setattr(of_run, "MOST_STEPS", 2_000)
    cut_off = decode(evaluated(text))
    monkeypatch.undo()
    other = decode(evaluated(CUT_OFF.partition("def main")[0]))
    alone, together = (
        {fact.place.name for fact in facts_for_all(reports, lambda report: report.facts) if fact.is_array}
        for reports in ([other], [other, cut_off])
    )
    assert {"w", "y", "k"} <= alone
    assert "y" in together and "w" not in together


def test_each_entry_has_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a file that is cut off has done to others is undone: the next one begins as if it had not been there."""
    monkeypatch.setattr(of_run, "MOST_STEPS", 2_000)
    texts = {
        "shared": "sizes = []\n",
        "first": f"from shared import sizes\nsizes.append(3)\n{CUT_OFF}",
        "second": "import jax.numpy as jnp\nfrom shared import sizes\nsizes.append(4)\nx = jnp.ones(sizes)\n",
    }
    modules = {name: {"path": f"/{name}.py", "text": text} for name, text in texts.items()}
    request = {"entries": ["first", "second"], "modules": modules, "trust": ["jax", "numpy"]}
    answer = session.evaluate(request)
    assert not answer["complete"]
    assert _shapes(answer["facts"]) == {"y": [[3, 4]], "k": [[3, 4]], "x": [[4]]}


def test_what_the_program_does_is_known_when_the_time_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only functions that nothing calls are left then."""
    walks: list[str] = []

    def seen(rest: Any, function: Any, kind: str, seconds: float) -> bool:
        walks.append(function.name)
        rest.interpreter.budget.renew(-1)
        return False

    monkeypatch.setattr(uncalled.UncalledFunctions, "see_alone", seen)
    answer = evaluated("import jax.numpy as jnp\nz = jnp.zeros(4)\ndef f():\n    pass\ndef g():\n    pass\n")
    assert walks == ["f"]
    assert answer["complete"]
    assert [fact["name"] for fact in answer["facts"]] == ["z"]
    assert answer["lost"] == ["functions that nothing calls: left out, because it takes too long to evaluate"]


def test_an_unknown_string_is_not_drawn_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """No sample of arrays tells what it is."""
    with_numbers, calls = abstract_calls._with_static_numbers, []

    def counted(*arguments: Any) -> Any:
        calls.append(arguments[1])
        return with_numbers(*arguments)

    monkeypatch.setattr(abstract_calls, "_with_static_numbers", counted)
    evaluated(
        "import jax.numpy as jnp\nfrom flax import nnx\n"
        "def f(name: str):\n    return nnx.Cache(jnp.zeros((2, 3)), out_sharding=(name, 'b'))\n"
    )
    assert 0 < len(calls) < 10


def evaluated(text: str, **more: Any) -> dict[str, Any]:
    """What an evaluation says of a module; what it imports has been imported, for nothing is sealed in the process of the tests."""
    module = {"path": "/program.py", "text": text}
    request = {
        "entries": ["program"],
        "modules": {"program": module},
        "trust": ["jax", "numpy", "flax"],
        **more,
    }
    importlib.import_module("flax.nnx")
    return session.evaluate(request)
