"""How calls of JAX are found in source, counted, and asked about."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from call_shapes import Use
from jax_calls import calls
from known_types import answer
from revealing import BEFORE, revealing

SOURCE = """\
import jax, numpy as np
import jax.numpy as jnp
from jax import lax, random as jr
from jax.scipy.special import logsumexp as lse
from .mine import where

mapped = jax.tree.map

class Model(Base[jnp.zeros(3)]):
    @jax.jit
    def __call__(self, x, lax):
        y = jnp.sum(x, -1, keepdims=True).reshape(
            (2, *x.shape)).astype("f4")
        self.sum(x); np.sum(x); where(x); lax.add(x, 1); "".copy()
        return mapped(lambda jnp: jnp.abs(x), f"{lse(y)}"), (y + 1).at[0].set(jnp.inf)
"""


def test_calls_are_found_by_what_was_imported_in_their_scope() -> None:
    seen = [(call.kind, call.name) for call in calls(ast.parse(SOURCE))]
    assert seen == [
        ("function", "jax.numpy.zeros"),
        ("function", "jax.numpy.sum"),
        ("method", "reshape"),
        ("method", "astype"),
        ("function", "jax.tree.map"),
        ("function", "jax.scipy.special.logsumexp"),
        ("at", "set"),
    ]


@pytest.mark.parametrize(
    ("call", "shape", "kinds"),
    [
        ("jnp.sum(x, -1, keepdims=True)", "name, negative int, keepdims=bool", {"axis": "negative int: -1"}),
        ("jnp.zeros((2, 3), jnp.float32)", "tuple of 2 ints, jnp dtype", {"dtype": "jnp dtype: float32"}),
        ("jnp.zeros((2, *x.shape), float)", "tuple with *, builtin type", {"shape": "tuple with *"}),
        (
            "jnp.where(x > 0, -jnp.inf, 1.5)",
            "comparison, float constant, float",
            {"x": "float constant: inf"},
        ),
        ("jnp.add(x, *y, **z)", "name, *, **", {"0": "name"}),
        ("x.sum(axis=(0, -1), dtype=x.dtype)", "axis=tuple of 2 ints, dtype=x.dtype", {"dtype": "x.dtype"}),
        ("x.sum(None)", "None", {"axis": "None"}),
    ],
)
def test_kinds_of_arguments(call: str, shape: str, kinds: dict[str, str]) -> None:
    (parsed,) = calls(ast.parse(f"import jax.numpy as jnp\n{call}"))
    use = Use()
    use.add(parsed, "package")
    assert list(use.shapes) == [shape]
    assert {name: next(iter(use.arguments[name])) for name in kinds} == kinds


def test_revealing_keeps_the_lines_and_says_where_each_site_is() -> None:
    module = revealing(SOURCE.replace("y = jnp", "é = '😀'; y = jnp"))
    assert module.left_out == {"f-strings": 1, "bases of classes": 1}
    lines = module.text.splitlines()
    assert len(lines) == len(SOURCE.splitlines())
    assert sorted(site.name for site in module.sites.values()) == [
        "Add", "astype", "jax.numpy.sum", "jax.tree.map", "reshape", "set",
    ]  # fmt: skip
    for (line, column), site in module.sites.items():
        assert site.line == line + 1
        before = lines[line].encode("utf-16-le")[: 2 * column].decode("utf-16-le")
        assert before.endswith(BEFORE)
    asked = [node for node in ast.walk(ast.parse(module.text)) if isinstance(node, ast.Call)]
    assert len([node for node in asked if ast.unparse(node.func) == "reveal_type"]) == len(module.sites)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Array[float32, tuple[B@f, D@f], tuple[B@f, D@f]]", "both"),
        ("Array[weak_float, tuple[()]]", "both"),
        ("Array[prng_key, tuple[Any]]", "both"),
        ("Array[Any, tuple[int, int]]", "rank"),
        ("Array[float32, tuple[int, ...]]", "dtype"),
        ("Array[floating, Any]", "open"),
        ("Array[float32, tuple[Any]] | None", "both"),
        ("Array[float32, tuple[Any]] | Array[float32, tuple[()]]", "dtype"),
        ("Array[float32, tuple[Any]] | Array[int32, tuple[int]]", "rank"),
        ("Array[float32, tuple[Any]] | Array[weak_float, tuple[Any]]", "both"),
        ("Array[float32, tuple[Any]] | Array[weak_int, tuple[Any]]", "rank"),
        ("Array[float32, tuple[Any]] | float", "open"),
        ("tuple[Array[int8, tuple[Any]], fallback=pack.Named]", "both"),
        ("tuple[Array[int8, tuple[Any]], tuple[int, fallback=pack.Named[int, list[str]]]]", "both"),
        ("tuple[Array[float32, tuple[()]], int]", "both"),
        ("tuple[Array[float32, tuple[()]], Unknown]", "open"),
        ("list[Any]", "open"),
        ("T@f", "open"),
        ("float* | Array[float32, Any]", "open"),
        ("(x: Array[Any, Any]) -> int", "no array"),
        ("dict[str, int]", "no array"),
        ("Array[", "unreadable"),
    ],
)
def test_what_a_type_says_of_its_arrays(text: str, expected: str) -> None:
    assert answer(text) == expected
