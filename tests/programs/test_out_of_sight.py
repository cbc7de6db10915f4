"""Objects that something unknown has: what the calls that are seen say of their methods is not all."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluating import evaluate_text

from jaxtyping_core.evaluation.client import Evaluator

HEAD = """
import jax
import jax.numpy as jnp
import unknown_library


class Layer:
    def __init__(self, n):
        self.n = n

    def weights(self, key):
        w = jax.random.normal(key, (self.n, 3))
        return w

    def __call__(self, x):
        y = jnp.ones((self.n, 2)) * x
        return y
"""


def shapes(child: Evaluator, folder: Path, text: str) -> dict[str, tuple[object, ...] | None]:
    report = evaluate_text(child, folder, HEAD + text)
    assert not report.refusals
    return {place.name: place.shape for place in report.places}


@pytest.mark.parametrize(
    "use",
    ["self.a.weights(key)", "self.a(2.0)", "self.parts[0].weights(key)"],
)
def test_it_may_be_where_the_program_asks_for_it(child: Evaluator, tmp_path: Path, use: str) -> None:
    text = f"""
class Block:
    def __init__(self, n):
        self.parts = unknown_library.parts()
        unknown_library.set(self, "a", Layer(n))

    def use(self, key):
        return {use}

first = Layer(16)
first.weights(jax.random.key(0))
first(1.0)
Block(64).use(jax.random.key(1))
"""
    name = "y" if use.startswith("self.a(") else "w"
    assert shapes(child, tmp_path, text).get(name) in (None, (None, 3), (None, 2))


def test_others_are_known(child: Evaluator, tmp_path: Path) -> None:
    text = """
first = Layer(16)
first.weights(jax.random.key(0))
first(1.0)
unknown_library.log(first)
unknown_library.table().rows()
"""
    known = shapes(child, tmp_path, text)
    assert (known["w"], known["y"]) == ((16, 3), (16, 2))


def test_it_may_be_called_by_a_field_of_something_unknown(child: Evaluator, tmp_path: Path) -> None:
    text = """
import types

layer = Layer(16)
layer(1.0)
state = unknown_library.copied(types.SimpleNamespace(apply=layer.__call__, other=3))
state.{}(jnp.ones((16, 2)))
"""
    assert shapes(child, tmp_path, text.format("apply")).get("y") != (16, 2)
    assert shapes(child, tmp_path, text.format("something"))["y"] == (16, 2)


def test_a_model_that_an_unknown_state_holds_may_be_called(child: Evaluator, tmp_path: Path) -> None:
    text = """
import json
import sys

import jax
import jax.numpy as jnp
import optax
from flax import linen as nn
from flax.training import train_state

settings = json.loads(sys.argv[1])


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        y = x * 2
        return nn.Dense(settings["n"])(y)


model = Net()
params = model.init(jax.random.key(0), jnp.zeros((1, 8)))["params"]
state = train_state.TrainState.create(apply_fn=model.apply, params=params, tx=optax.adamw(settings["rate"]))
state.apply_fn({"params": params}, jnp.ones((4, 8)))
"""
    report = evaluate_text(child, tmp_path, text)
    assert [place.shape for place in report.places if place.name == "y"] in ([], [None], [(None, 8)])


PARTS = """
import json
import sys

import jax
import jax.numpy as jnp
from flax import linen as nn

settings = json.loads(sys.argv[1])


class Part(nn.Module):
    n: int

    @nn.compact
    def __call__(self, x):
        y = nn.tanh(x)
        return nn.Dense(self.n)(y)


class Net(nn.Module):
    n: int

    def setup(self):
        self.part = Part(self.n)

    def __call__(self, x):
        return self.part(x)


net = Net(settings["n"])
params = net.init(jax.random.key(0), jnp.zeros((1, 8)))
"""


def test_a_part_that_a_method_makes_may_be_called_as_the_object_is(child: Evaluator, tmp_path: Path) -> None:
    unknown = 'net.apply(settings["params"], settings["batch"])'
    report = evaluate_text(child, tmp_path, PARTS + unknown)
    assert {place.shape for place in report.places if place.name == "y"} <= {None}
    report = evaluate_text(child, tmp_path, PARTS)
    assert {place.shape for place in report.places if place.name == "y"} == {(1, 8)}


def test_an_object_that_was_put_into_something_unknown_may_be_called_there(
    child: Evaluator, tmp_path: Path
) -> None:
    text = """
layer = Layer(4)
layer(jnp.ones((4, 2)))
something = unknown_library.something()
something.layer = layer
something.{}(jnp.ones((3, 4, 2)))
"""
    text = text.replace("unknown_library.something()", "eval(input())")
    head = HEAD.replace("import unknown_library\n", "")
    for name, known in ("layer", False), ("other", True):
        report = evaluate_text(child, tmp_path, head + text.format(name))
        assert ((4, 2) in [place.shape for place in report.places if place.name == "y"]) is known


@pytest.mark.parametrize(
    "made",
    [
        "jax.vmap(scaled, in_axes=settings)",
        "jax.grad(scaled, argnums=settings)",
        "jax.pmap(scaled, devices=jax.devices())",
    ],
)
def test_a_function_that_is_transformed_in_an_unknown_way_may_be_called_so(
    child: Evaluator, tmp_path: Path, made: str
) -> None:
    text = f"""
import json
import sys

import jax
import jax.numpy as jnp

settings = json.loads(sys.argv[1])


def train(parts):
    n = len(parts)

    def scaled(x):
        y = jnp.full((n,), 1.0)
        return (x * y.sum()).sum()

    made = {made}
    return made(jnp.ones((8, 4)))


parts = []
for step in range(2):
    parts.append(step)
    z = train(parts)
"""
    report = evaluate_text(child, tmp_path, text)
    assert (1,) not in [place.shape for place in report.places if place.name == "y"]
    is_known = "pmap" in made  # over which devices says nothing about the arrays
    assert ((8,) in [place.shape for place in report.places if place.name == "z"]) is is_known
