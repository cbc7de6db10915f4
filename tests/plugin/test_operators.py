"""The plugin's operators against JAX's own: every ordered pair of dtypes and weak types, in every mode."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from mypy.options import Options

from jaxtyping_core.domain.values import Array
from jaxtyping_core.dtypes import DTYPES, WEAK, available, canonical, default_dtype
from jaxtyping_core_mypy.convert import node_of, split_weak
from jaxtyping_core_mypy.engine import Engine
from jaxtyping_core_mypy.operator_table import METHODS
from jaxtyping_core_mypy.operators import Operand, result_dtype

NODES = [*(name for name in available() if DTYPES[name].promotes), *WEAK]
#: Operators whose dtype the lattice gives; the others are JAX's answer by construction.
LATTICE = {"__add__": operator.add, "__sub__": operator.sub, "__mul__": operator.mul}
COMPARISONS = {"__lt__": operator.lt, "__eq__": operator.eq}


DEFAULT = (False, "standard")
#: That `+` follows the lattice in every mode is a test of the promotion systems; here it is one of five.
CASES = [
    *((method, DEFAULT) for method in (*LATTICE, *COMPARISONS)),
    *(("__lt__", mode) for mode in ((True, "standard"), (False, "strict"), (True, "strict"))),
]


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    options = Options()
    options.python_executable = sys.executable
    engine = Engine(options, lambda name: None)
    x64, promotion = request.param
    engine.settings = engine.settings._replace(x64=x64, promotion=promotion)
    before = jax.config.jax_enable_x64, jax.config.jax_numpy_dtype_promotion
    jax.config.update("jax_enable_x64", engine.x64)
    jax.config.update("jax_numpy_dtype_promotion", promotion)
    yield engine
    jax.config.update("jax_enable_x64", before[0])
    jax.config.update("jax_numpy_dtype_promotion", before[1])


def abstract(node: str, x64: bool) -> jax.ShapeDtypeStruct:
    weak = node in WEAK
    name = default_dtype(WEAK[node], x64) if weak else canonical(node, x64)
    return jax.ShapeDtypeStruct((), jnp.dtype(name), weak_type=weak)


def truth(function: Callable[[Any, Any], Any], a: str, b: str, x64: bool) -> str | None:
    """The dtype or weak type of the result; None where JAX refuses the operands."""
    try:
        out = jax.eval_shape(function, abstract(a, x64), abstract(b, x64))
    except (TypeError, ValueError):
        return None
    return node_of(Array.of(out.dtype.name, out.weak_type, ()))


@pytest.mark.parametrize(("method", "engine"), CASES, indirect=["engine"], ids=str)
def test_every_pair(method: str, engine: Engine) -> None:
    rule = METHODS[method][0]
    site: Any = SimpleNamespace(engine=engine, ask=lambda name, args: engine.ask("jax", name, args))

    def operand(node: str) -> Operand:
        return Operand(Array.of(*split_weak(node, engine.x64), ()), None)

    function = {**LATTICE, **COMPARISONS}[method]
    wrong = []
    for a in NODES:
        for b in NODES:
            expected = truth(function, a, b, engine.x64)
            dtype, problem = result_dtype(site, rule, operand(a), operand(b))
            if dtype != expected or (problem is None) != (expected is not None):
                wrong.append(f"{a} {rule.symbol} {b}: {dtype or problem}, but JAX gives {expected}")
    assert not wrong, f"{len(wrong)} of {len(NODES) ** 2}:\n" + "\n".join(wrong[:50])
