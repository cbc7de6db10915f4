"""What every function of two arrays gives for every pair of dtypes under every system: dtype, weakness, and bits.

It is what JAX gives for the two operands as the system converts them, eagerly and in a compiled function. CI asks for a
part of the pairs, another one for each function and system; all of them, half an hour of one core, with the environment
variable ``ALL_PAIRS=1``.
"""

from __future__ import annotations

import functools
import os
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxtyping_core.numpy as lnp
from jaxtyping_core import dtypes
from jaxtyping_core.errors import PromotionError
from jaxtyping_core.lattice import NODES
from jaxtyping_core.numpy import _operands, _rules
from jaxtyping_core.numpy._table import TABLE
from jaxtyping_core.promotion import find, resolve
from jaxtyping_core.systems import SYSTEMS

pytestmark = pytest.mark.sweep("layer")

Pair = tuple[str, str]
#: A dtype, whether it is weak, and the bytes of the numbers where there are any; None where the call is refused.
Answer = tuple[str, bool, bytes] | None

AVAILABLE = [node for node in NODES if node in dtypes.WEAK or node in dtypes.available()]
PAIRS = [(a, b) for a in AVAILABLE for b in AVAILABLE]
#: XLA fails to compile some functions for narrower dtypes than NumPy's, or ends the process (`nextafter`).
WIDE = [node for node in AVAILABLE if node in dtypes.WEAK or node == "bfloat16" or hasattr(np, node)]
EAGER = [(a, b) for a in WIDE for b in WIDE]
VECTORS = (
    *("append", "convolve", "correlate", "dot", "inner", "kron", "outer", "polyadd", "polymul", "polysub"),
    *("tensordot", "vdot", "vecdot", "matmul"),
)
#: What the layer computes of integers as integers, and JAX does not: tests/layer/test_layer_against_numpy.py.
EXACT = ("convolve", "correlate", "polymul")
RULES = {
    row.name: row.rule
    for row in TABLE
    if (row.elementwise and len(row.operands) == 2) or row.name in ("power", "pow", *VECTORS)
}
SCALARS: dict[str, Any] = {"weak_int": 1, "weak_float": 1.0, "weak_complex": 1.0 + 0j}
#: What JAX raises for a dtype that a function or the compiler does not have.
REFUSALS = (TypeError, ValueError, NotImplementedError, jax.errors.JaxRuntimeError)


def part(name: str, system: str, eager: bool) -> list[Pair]:
    """The pairs to try: all of them, or some."""
    pairs = EAGER if eager else PAIRS
    if os.environ.get("ALL_PAIRS"):
        return pairs
    seed = 7 * list(RULES).index(name) + 3 * list(SYSTEMS).index(system)
    step = len(pairs) if eager else 613  # compiling takes long: one pair for each sixth function
    return [] if eager and seed % 6 else pairs[seed * 31 % step :: step]


def targets(name: str, pair: Pair, system: str, x64: bool) -> Sequence[str | None] | None:
    """The dtypes that the operands are converted to; None where the system refuses them."""
    nodes = tuple(dtypes.canonical(node, x64) for node in pair)
    if RULES[name] == "join":  # the table itself
        common = find(nodes, system, x64)
        return None if common is None else (dtypes.canonical(common, x64),) * 2
    try:
        return _rules.targets(RULES[name], nodes, system, x64)
    except PromotionError:
        return None


def whole(nodes: Sequence[str | None]) -> bool:
    return all(node is not None and dtypes.kind(node) in "bui" for node in nodes)


def cast(value: Any, node: str | None, x64: bool) -> Any:
    return value if node is None else _operands.caster(node, x64)(value)


@functools.cache
def arrays(x64: bool, eager: bool) -> dict[str, Any]:
    """Two numbers of every dtype and weak type: arrays, or what `jax.eval_shape` takes for them."""
    canonical = {node: dtypes.canonical(node, x64) for node in (WIDE if eager else AVAILABLE)}
    with jax.enable_x64(x64):
        if eager:
            return {node: cast(jnp.asarray([1, 1]), dtype, x64) for node, dtype in canonical.items()}
        return {
            node: jax.ShapeDtypeStruct(
                (2,), dtypes.numpy_dtype(resolve(dtype, x64)), weak_type=dtype in dtypes.WEAK
            )
            for node, dtype in canonical.items()
        }


def ask(function: Any, operands: Sequence[Any], eager: bool) -> Answer:
    try:
        out = function(*operands)
        parts = out if isinstance(out, tuple) else (out,)
        bits = b"".join(np.asarray(p).tobytes() for p in parts) if eager else b""
    except REFUSALS:
        return None
    return parts[0].dtype.name, bool(parts[0].weak_type), bits


def differing(name: str, system: str, x64: bool, made: dict[str, Any], eager: bool) -> Iterator[str]:
    """Where the layer's answers are not JAX's for the converted operands."""
    ours, theirs = getattr(lnp, name), getattr(jnp, name)
    for pair in part(name, system, eager):
        operands = tuple(made[node] for node in pair)
        if eager and name not in VECTORS and not set(pair) <= SCALARS.keys():
            # A Python scalar beside an array.
            operands = tuple(SCALARS.get(node, value) for node, value in zip(pair, operands, strict=True))
        converted = targets(name, pair, system, x64)
        if name in EXACT and system not in _rules.OF_JAX and converted and whole(converted):
            continue
        expected = None
        if converted is not None:
            change = zip(operands, converted, strict=True)
            expected = ask(theirs, [cast(value, node, x64) for value, node in change], eager)
        actual = ask(ours, operands, eager)
        if actual and expected is None and converted and RULES[name] == "power" and converted[1] is None:
            # An integer exponent keeps its dtype, and JAX by itself would look for one that both have.
            expected = resolve(str(converted[0]), x64), converted[0] in dtypes.WEAK, actual[2]
        if actual != expected:
            yield f"{name}{pair}: {actual}, not {expected}"


@pytest.mark.parametrize("eager", [False, True], ids=["traced", "eager"])
@pytest.mark.parametrize("x64", [False, True], ids=["32", "64"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_function(system: str, x64: bool, eager: bool) -> None:
    differences: list[str] = []

    def compare(made: dict[str, Any]) -> None:
        for name in RULES:
            differences.extend(differing(name, system, x64, made, eager))

    made = arrays(x64, eager)
    with jax.enable_x64(x64), lnp.promotion(system), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if eager:
            compare(made)
        else:
            jax.eval_shape(compare, made)
    assert differences == []
