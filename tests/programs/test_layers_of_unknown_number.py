"""Layers and arrays of which a run says how many there are, with which key, or of which sizes.

What is said of `x` and `y` holds for all of them, and is enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from evaluating import evaluate_text

from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.evaluation.protocol import ACCEPTED

pytestmark = pytest.mark.one_python
HEAD = "import equinox as eqx, flax.linen as nn, jax, jax.numpy as jnp, numpy as np\n"
#: How many layers there are in a run. JAX makes keys of several dims, too, which layers refuse.
NUMBERS: tuple[Any, ...] = (0, 1, 2, 5, (2, 2), (3,))
#: Keys of all kinds, and what is none.
KEYS: tuple[Any, ...] = (
    *(jax.random.key(0), jax.random.PRNGKey(0), jax.random.key(0, impl="rbg")),
    *(jax.random.PRNGKey(0, impl="rbg"), jax.random.split(jax.random.key(0), 2), None, 3),
)
#: Sizes, and what JAX takes for none.
SIZES: tuple[Any, ...] = (
    *(0, 1, 2, 5, True, np.int64(3), np.array(4), jnp.int32(3), -1, 2.0, None, (2,), np.ones(3, int)),
    jnp.array([[2], [3]]),
)

OF_EQUINOX = """class Net(eqx.Module):
    layers: list
    def __init__(self, key):
        self.layers = [eqx.nn.Linear(4, 4, key=k) for k in jax.random.split(key, u)]
    def __call__(self, x):
        for layer in self.layers:
            x = {turn}
        return x * 2
net = Net(jax.random.key(0))
"""
OF_LINEN = """class Norm(nn.Module):
    d: int
    @nn.compact
    def __call__(self, x):
        weight = self.param('weight', {declared})
        return x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-6) * weight
data = jnp.ones((u, 5, u))
norm = Norm(u)
params = norm.init(jax.random.key(0), data)
"""
#: Programs with what the unknown `u` is in runs, and what is known of `x` and of `y`.
PROGRAMS: dict[str, tuple[Sequence[Any], Any, Any]] = {
    OF_EQUINOX.format(turn="jax.nn.relu(layer(x))")
    + "x = net(jnp.ones(4))\ny = jax.vmap(net)(jnp.ones((3, 4)))": (
        *(NUMBERS, ("float32", (4,)), ("float32", (3, 4))),
    ),
    OF_EQUINOX.format(turn="jax.vmap(layer)(x)")
    + "x = net(jnp.ones((3, 4)))\ny = eqx.filter_grad(lambda m, a: m(a).sum())(net, jnp.ones((3, 4))).layers[0].bias": (
        *(NUMBERS, ("float32", (3, 4)), ("float32", (4,))),
    ),
    # Without a layer an array stays what it is.
    OF_EQUINOX.format(turn="layer(x)") + "x = net(jnp.ones(4, 'bfloat16'))\ny = net(jnp.full(4, 2.0))": (
        *(NUMBERS, (None, (4,)), ("float32", (4,))),
    ),
    "layer = eqx.nn.Linear(4, 3, key=u)\nx = layer(jnp.ones(4))\ny = layer.weight": (
        *(KEYS, ("float32", (3,)), ("float32", (3, 4))),
    ),
    "layer = eqx.nn.Linear(4, 3, dtype='bfloat16', key=u)\nx = layer.weight\n"
    "y = eqx.nn.MLP(2, 'scalar', 8, 2, key=u)(jnp.ones(2))": (
        *(KEYS, ("bfloat16", (3, 4)), ("float32", ())),
    ),
    "x = eqx.nn.Embedding(5, 3, key=u).weight\ny = eqx.nn.Embedding(weight=jnp.ones((5, 3), 'int8'), key=u)(2)": (
        *(KEYS, ("float32", (5, 3)), ("int8", (3,))),
    ),
    "cell = eqx.nn.GRUCell(2, 4, key=u)\nx, _ = jax.lax.scan(lambda h, r: (cell(r, h), None), jnp.zeros(4), jnp.ones((6, 2)))\n"
    "y = eqx.nn.Conv2d(1, 2, 3, key=u)(jnp.ones((1, 8, 8)))": (
        *(KEYS, ("float32", (4,)), ("float32", (2, 6, 6))),
    ),
    "x = jnp.ones((u, u, 4))\ny = jax.random.normal(jax.random.key(0), shape=(u, 2, u), dtype='bfloat16')": (
        *(SIZES, ("float32", (None, None, 4)), ("bfloat16", (None, 2, None))),
    ),
    "x = jnp.full([u, u], 2.0)\ny = jnp.zeros((u, 3, u), 'int8') @ jnp.ones((u, 5), 'int8')": (
        *(SIZES, ("float32", (None, None)), ("int8", (None, 3, 5))),
    ),
    # What is passed here may be arrays.
    "x = jnp.asarray(np.zeros((u, u, 4)))\ny = jnp.asarray(np.full(shape=[u, 2], fill_value=3, dtype=np.int8))": (
        *(SIZES, ("float32", (None, None, 4)), ("int8", (None, 2))),
    ),
    # What is passed to these may be arrays, or a -1, which says the size that is left.
    "x = jnp.unravel_index(jnp.arange(3), (u, u))[1]\ny = x": (*((*SIZES, 3, 4), False, False),),
    "x = jnp.reshape(jnp.ones((2, 8)), (u, 2))\ny = x": (
        *((-1, 8), ("float32", (8, 2)), ("float32", (8, 2))),
    ),
    OF_LINEN.format(declared="nn.initializers.ones, (self.d,)")
    + "x = params['params']['weight']\ny = norm.apply(params, data)": (
        *(SIZES, ("float32", (None,)), ("float32", (None, 5, None))),
    ),
    OF_LINEN.format(declared="nn.initializers.normal(0.1), (5, self.d), 'bfloat16'")
    + "x = params['params']['weight']\ny = norm.apply(params, data)": (
        *(SIZES, ("bfloat16", (5, None)), ("float32", (None, 5, None))),
    ),
}


def run(program: str, value: Any) -> dict[str, Any]:
    """The arrays `x` and `y` where `u` is this, as far as JAX gets."""
    scope: dict[str, Any] = {"u": value}
    try:
        exec(HEAD + program, scope)  # noqa: S102  # a program of the table above
    except Exception:  # whatever JAX and the layers raise for what they do not take
        return {}
    return {name: jax.typeof(scope[name]) for name in ("x", "y")}


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_is_said_holds_for_whatever_a_run_says(child: Evaluator, tmp_path: Path, program: str) -> None:
    values, *known = PROGRAMS[program]
    text = f"{HEAD}from nowhere import u\n{program}\n"
    report = evaluate_text(child, tmp_path, text)
    last = text.count("\n") - 2
    claims = {p.name: p for p in report.places if p.line >= last and p.name in ("x", "y")}
    assert [(name in claims and (claims[name].dtype, claims[name].shape)) for name in ("x", "y")] == known
    assert all(refusal.kind in ACCEPTED for refusal in report.refusals)
    runs = [arrays for value in values if (arrays := run(program, value))]
    assert runs
    for name, claim in claims.items():
        for array in (arrays[name] for arrays in runs):
            assert claim.dtype in (None, jnp.dtype(array.dtype).name)
            assert claim.weak in (None, array.weak_type)
            if claim.shape is not None:
                assert len(claim.shape) == len(array.shape)
                assert all(size in (None, true) for size, true in zip(claim.shape, array.shape, strict=True))
