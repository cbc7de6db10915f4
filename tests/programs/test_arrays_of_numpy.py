"""Arrays of NumPy whose numbers are unknown: what checks of them say, and what functions say that make them."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluating import evaluate_text

from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.showing.listing import value

pytestmark = pytest.mark.one_python
HEAD = """
import sys
import numpy as np
import jax.numpy as jnp
from numpy.polynomial.hermite import hermgauss
a = np.loadtxt("rates.txt", dtype=np.float32)
b = np.load("rates.npy")
n = int(sys.argv[1])
"""
PROGRAMS = {
    "if a.shape != (91,):\n    raise ValueError\nx = jnp.asarray(a.astype(np.int32))": "int32[91]",
    "assert a.shape == (91, n)\nx = jnp.asarray(a) @ jnp.ones((n, 2))": "float32[91, 2]",
    "assert a.ndim == 2 and a.shape[1] == 3\nx = jnp.asarray(a)": "float32[?, 3]",
    "assert a.ndim == 2\nassert a.shape == (1, 2, 3)\nx = jnp.asarray(a)": "float32[?, ?]",
    "assert b.dtype == np.float16 and b.ndim == 1\nx = jnp.asarray(b)": "float16[?]",
    "if a.ndim == 1:\n    y = a\nx = jnp.asarray(a)": "float32[...]",
    "x = jnp.asarray(a[:, 0])": "float32[?]",
    "x = jnp.asarray(a[:, :3])": "float32[?, ?]",
    "x = jnp.asarray(a[0])": "float32[...]",
    "x = jnp.asarray(np.genfromtxt('a.csv', delimiter=',')[1:, n])": "float32[?]",
    "x = jnp.asarray(np.genfromtxt('a.csv', names=True)['u'])": "?",
    "x = jnp.asarray(np.polynomial.legendre.leggauss(8)[0])": "float32[8]",
    "p, w = hermgauss(n)\nx = jnp.asarray(p) @ jnp.asarray(w)": "float32[]",
    "p, w = hermgauss(n)\nx = jnp.asarray(w)": "float32[?]",
}


@pytest.mark.parametrize("text", PROGRAMS)
def test_what_is_known(child: Evaluator, tmp_path: Path, text: str) -> None:
    report = evaluate_text(child, tmp_path, HEAD + text)
    (place,) = [place for place in report.places if place.name == "x"]
    assert value(place) == PROGRAMS[text]
    assert not report.refusals


def test_what_equinox_reads(child: Evaluator, tmp_path: Path) -> None:
    text = (
        "import equinox as eqx\nimport jax\n"
        "model = eqx.nn.MLP(2, 5, 50, 2, key=jax.random.key(0))\n"
        "model, step = eqx.tree_deserialise_leaves('a.eqx', (model, jnp.array(3)))\n"
        "x = jax.vmap(model)(jnp.ones((7, 2)))\ny = jnp.array(step)\n"
        "z = jnp.array(eqx.tree_deserialise_leaves('a.eqx', y, lambda file, leaf: leaf[0]))\n"
    )
    report = evaluate_text(child, tmp_path, HEAD + text)
    known = {place.name: value(place) for place in report.places if place.name in "xyz"}
    assert known == {"x": "float32[7, 5]", "y": "int32[]", "z": "?"}
    assert not report.refusals


def test_what_flax_reads(child: Evaluator, tmp_path: Path) -> None:
    text = (
        "import os\nimport jax\nfrom flax import linen as nn\nfrom flax.serialization import from_bytes\n"
        "from flax.training import checkpoints, train_state\nimport optax\n"
        "model = nn.Dense(5)\nparams = model.init(jax.random.key(0), jnp.ones((1, 3)))\n"
        "if os.path.exists('a'):\n    with open('a', 'rb') as file:\n        params = from_bytes(params, file.read())\n"
        "x = model.apply(params, jnp.ones((7, 3)))\n"
        "state = train_state.TrainState.create(apply_fn=model.apply, params=params, tx=optax.sgd(0.1))\n"
        "state = checkpoints.restore_checkpoint('folder', state)\n"
        "y = state.apply_fn(state.params, jnp.ones((2, 3)))\n"
        "z = model.apply(checkpoints.restore_checkpoint('folder', None), jnp.ones((2, 3)))\n"
    )
    report = evaluate_text(child, tmp_path, HEAD + text)
    known = {place.name: value(place) for place in report.places if place.name in "xyz"}
    assert (known["x"], known["y"]) == ("float32[7, 5]", "float32[2, 5]")
    assert known.get("z", "?").startswith("?")
    assert not report.refusals
