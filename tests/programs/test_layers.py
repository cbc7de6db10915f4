"""What is known of layers whose input, or whose sizes, come from a file that nothing but the run can read."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluating import evaluate, evaluate_text

from jaxtyping_core.evaluation.client import Evaluator

pytestmark = pytest.mark.one_python
PROGRAM = Path(__file__).parent / "plain" / "data_from_a_file.py"
#: Arrays of that program by the names they are bound to.
KNOWN = {
    "features": ("float32", (None, 7)),
    "loss": ("float32", ()),
    "slope": ("float32", (3, 1, 3, 3)),
    "scores": ("float32", (3, 4, None)),
    "per_layer": ("float32", (4,)),
    "hidden": ("float32", (2, 9)),
    "kernel": ("float32", (None, 9)),
    "running": ("float32", (None,)),
}
HEAD = "import equinox as eqx, jax, jax.numpy as jnp\nfrom flax import nnx\nfrom nowhere import x\n"
#: Calls of layers with data of which nothing is known, and what is certain of what they give.
CALLS = {
    "eqx.nn.Conv2d(2, 3, 5, key=jax.random.key(0))(x)": ("float32", (3, None, None)),
    "eqx.nn.Linear(4, 3, key=jax.random.key(0))(jnp.ravel(jnp.ones((2, 2)) * jnp.float32(x)))": (
        "float32",
        (3,),
    ),
    "nnx.Embed(7, 4, rngs=nnx.Rngs(0))(x)": ("float32", None),
    # A complex array gives a complex one, and one of more dims one of more dims.
    "nnx.Linear(4, 3, rngs=nnx.Rngs(0))(x)": (None, None),
    # A column is broadcast against the bias.
    "eqx.nn.Linear(4, 3, key=jax.random.key(0))(x)": (None, None),
}


def test_what_does_not_depend_on_the_data_is_known(child: Evaluator) -> None:
    places = {place.name: (place.dtype, place.shape) for place in evaluate(child, PROGRAM).places}
    assert {name: places.get(name) for name in KNOWN} == KNOWN


@pytest.mark.parametrize("call", CALLS)
def test_no_more_is_said_than_holds_for_all_that_a_layer_takes(
    child: Evaluator, tmp_path: Path, call: str
) -> None:
    report = evaluate_text(child, tmp_path, f"{HEAD}y = {call}\n")
    (place,) = [place for place in report.places if place.name == "y"]
    assert (place.dtype, place.shape) == CALLS[call]


#: The parameters of a module of Flax linen that is made for data of which nothing is known.
LINEN = """
import flax.linen as nn
class Block(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.LayerNorm()(nn.Dense(12)(x))
class Network(nn.Module):
    @nn.compact
    def __call__(self, x):
        w = self.param("w", nn.initializers.ones, (x.shape[-1], 3))
        return nn.Dense(2)(Block()(x))
params = Network().init(jax.random.key(0), x)["params"]
kernel = params["Block_0"]["Dense_0"]["kernel"]
scale = params["Block_0"]["LayerNorm_0"]["scale"]
last = params["Dense_0"]["kernel"]
w = params["w"]
names = jnp.zeros(len(params["Block_0"]))
scores = Network().apply({"params": params}, jnp.ones((5, 3)))
"""


def test_parameters_that_depend_on_the_data(child: Evaluator, tmp_path: Path) -> None:
    report = evaluate_text(child, tmp_path, f"{HEAD}{LINEN}")
    places = {place.name: (place.dtype, place.shape) for place in report.places}
    assert places["kernel"] == ("float32", (None, 12))
    assert places["scale"] == ("float32", (None,))
    assert places["last"] == ("float32", (None, 2))
    assert places["w"] == ("float32", (None, 3))
    assert places["names"] == ("float32", (2,))
    assert places["scores"] == ("float32", (5, 2))


#: What a model calls that is not known, and how many parameters it may have, with the first layer's.
UNKNOWN_CALLS = {
    "Layer(4)(x)": None,  # may be a layer
    "run(nn.Dense(8), x)": None,  # may call the layer that it gets
    "activation(x)": 2,  # is a function
}


@pytest.mark.parametrize("call", UNKNOWN_CALLS)
def test_what_is_unknown_may_make_parameters(child: Evaluator, tmp_path: Path, call: str) -> None:
    text = f"""import flax.linen as nn, jax, jax.numpy as jnp, nowhere
class Model(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.Dense(8)(x)
        x = nowhere.{call}
        return nn.Dense(3)(x)
params = Model().init(jax.random.key(0), jnp.ones((2, 5)))["params"]
kernel = params["Dense_0"]["kernel"]
first = jnp.zeros(len(params))
second = jnp.zeros(len(list(params.values())))
third = jnp.zeros(len([name for name in params]))
"""
    places = {place.name: place.shape for place in evaluate_text(child, tmp_path, text).places}
    count = UNKNOWN_CALLS[call]
    assert places["kernel"] == (5, 8)
    assert places["first"] == places["second"] == places["third"] == (count,)
