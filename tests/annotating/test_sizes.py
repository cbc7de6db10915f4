"""Which sizes are one, and what they are called: functions whose sizes are equal by chance."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotating.facts_by_hand import annotated, call, floats, heads

pytestmark = pytest.mark.one_python

IMPORTS = "import jax\nimport jax.numpy as jnp\n\n"


def written(text: str, result: object, folder: Path, style: str = "native", **arguments: Any) -> str:
    return heads(annotated(IMPORTS + text, {"f": [call(result, **arguments)]}, folder, style))[0]


def test_equal_by_chance_is_told_from_equal(tmp_path: Path) -> None:
    dense = "def f(x, w, b):\n    return x @ w + b\n"
    arguments: dict[str, Any] = {"x": floats(8, 8), "w": floats(8, 8), "b": floats(8)}
    assert (
        written(dense, floats(8, 8), tmp_path, **arguments)
        == "f(x: Float32[B, D], w: Float32[D, H], b: Float32[H]) -> Float32[B, H]"
    )
    assert (
        written(dense, floats(8, 8), tmp_path, "jaxtyping", **arguments)
        == "f(x: Float32[Array, 'b d'], w: Float32[Array, 'd h'], b: Float32[Array, 'h']) -> Float32[Array, 'b h']"
    )


def test_numbers_of_the_source_stay_numbers(tmp_path: Path) -> None:
    text = "def f(points):\n    x, y, z = points.T\n    return jnp.stack([x, y * z], axis=1)\n"
    assert (
        written(text, floats(5, 2), tmp_path, points=floats(5, 3))
        == "f(points: Float32[B, Literal[3]]) -> Float32[B, Any]"
    )
    text = "def f(x):\n    return x.reshape(-1, 4)\n"
    assert (
        written(text, floats(2, 4), tmp_path, x=floats(8)) == "f(x: Float32[N]) -> Float32[Any, Literal[4]]"
    )


def test_a_size_that_another_may_exceed_is_open(tmp_path: Path) -> None:
    text = 'def f(x, kernel):\n    return jnp.convolve(x, kernel, mode="same")\n'
    assert (
        written(text, floats(100), tmp_path, x=floats(100), kernel=floats(7))
        == "f(x: Float32[N], kernel: Float32[M]) -> Float32"
    )


def test_sizes_of_a_capture_are_open(tmp_path: Path) -> None:
    text = "W = jnp.ones((5, 7))\n\ndef f(x):\n    return x @ W\n"
    assert written(text, floats(3, 7), tmp_path, x=floats(3, 5)) == "f(x: Float32[B, Any]) -> Float32[B, Any]"


def test_a_number_that_is_passed_is_a_size(tmp_path: Path) -> None:
    text = "def f(x, n):\n    return jnp.tile(x, (n, 1))\n"
    result = written(text, floats(4, 4), tmp_path, x=floats(4), n=4)
    assert result == "f(x: Float32[M], n: N) -> Float32[N, M]"


def test_relations_are_written_where_the_style_has_them(tmp_path: Path) -> None:
    text = (
        "def f(x, y):\n    b, n, m = x.shape\n    return jnp.concatenate([x.reshape(b, n * m), y], axis=1)\n"
    )
    arguments = {"x": floats(2, 3, 4), "y": floats(2, 5)}
    assert written(text, floats(2, 17), tmp_path, "jaxtyping", **arguments).endswith(
        "-> Float32[Array, 'b _']"
    )
    text = "def f(x, y):\n    return jnp.concatenate([x, y[1:]])\n"
    arguments = {"x": floats(3), "y": floats(3)}
    shape = written(text, floats(5), tmp_path, "jaxtyping", **arguments)
    assert shape == "f(x: Float32[Array, 'n'], y: Float32[Array, 'm']) -> Float32[Array, '_']"
    text = "def f(x):\n    b, h, k = x.shape\n    return x.reshape(b, h * k)\n"
    shape = written(text, floats(2, 12), tmp_path, "jaxtyping", x=floats(2, 3, 4))
    assert shape == "f(x: Float32[Array, 'b h k']) -> Float32[Array, 'b h*k']"
    assert written(text, floats(2, 12), tmp_path, x=floats(2, 3, 4)).endswith("-> Float32[B, Any]")


def test_the_source_names_sizes(tmp_path: Path) -> None:
    text = 'def f(q, k):\n    return jnp.einsum("bqd,bkd->bqk", q, k)\n'
    both = floats(4, 4, 4)
    assert (
        written(text, both, tmp_path, q=both, k=both)
        == "f(q: Float32[B, Q, D], k: Float32[B, K, D]) -> Float32[B, Q, K]"
    )
    text = "def f(x):\n    batch_size, seq_len = x.shape[:2]\n    return x.reshape(batch_size, seq_len, -1)\n"
    assert written(text, floats(2, 3, 4), tmp_path, x=floats(2, 3, 4)).startswith("f(x: Float32[B, T, D])")


def test_without_a_walk_only_what_changed_together_is_one() -> None:
    text = "def f(x, y):\n    return x\n"
    once = [call(floats(8, 4), x=floats(8, 4), y=floats(8, 4))]
    assert heads(annotated(text, {"f": once})) == ["f(x: Float32, y: Float32) -> Float32"]
    twice = [*once, call(floats(6, 5), x=floats(6, 5), y=floats(6, 5))]
    assert heads(annotated(text, {"f": twice})) == ["f(x: Float32[B, D], y: Float32[B, D]) -> Float32[B, D]"]
    apart = [*once, call(floats(6, 5), x=floats(6, 5), y=floats(9, 5))]
    assert heads(annotated(text, {"f": apart})) == ["f(x: Float32[B, D], y: Float32[N, D]) -> Float32[B, D]"]
    only = "def f(x):\n    return x\n"
    assert heads(annotated(only, {"f": [call(floats(8), x=floats(8))]})) == ["f(x: Float32[N]) -> Float32"]


def test_names_are_not_those_of_the_module(tmp_path: Path) -> None:
    text = "B = 3\n\ndef f(x):\n    return x * B\n"
    assert written(text, floats(8, 4), tmp_path, x=floats(8, 4)) == "f(x: Float32[N, D]) -> Float32[N, D]"


def test_a_call_with_sizes_of_one_shows_less_than_others(tmp_path: Path) -> None:
    text = "def f(mean, noise):\n    return mean + noise\n"
    calls = [call(floats(n, 4), mean=floats(n, 4), noise=floats(n, 4)) for n in (1, 1, 6)]
    assert heads(annotated(IMPORTS + text, {"f": calls}, tmp_path)) == [
        "f(mean: Float32[B, D], noise: Float32[B, D]) -> Float32[B, D]"
    ]


def test_a_size_that_is_halved_and_doubled_is_not_the_same(tmp_path: Path) -> None:
    text = (
        "def f(n, d):\n    half = jnp.ones((n, d // 2))\n    return jnp.concatenate([half, half], axis=1)\n"
    )
    head = written(text, floats(6, 4), tmp_path, n=6, d=4)
    assert head.endswith("-> Float32[N, Any]")


def test_what_is_no_batch_is_not_called_one(tmp_path: Path) -> None:
    spread = "def f(mean, cov):\n    return cov @ mean\n"
    assert (
        written(spread, floats(4), tmp_path, mean=floats(4), cov=floats(4, 4))
        == "f(mean: Float32[D], cov: Float32[N, D]) -> Float32[N]"
    )
    moved = "def f(mean, cov):\n    return cov @ mean, cov + cov.T\n"
    assert written(moved, (floats(4), floats(4, 4)), tmp_path, mean=floats(4), cov=floats(4, 4)) == (
        "f(mean: Float32[D], cov: Float32[D, D]) -> tuple[Float32[D], Float32[D, D]]"
    )
    looked_up = "def f(embedding, tokens):\n    return embedding[tokens]\n"
    tokens = floats(2, 5, dtype="int32")
    assert (
        written(looked_up, floats(2, 5, 8), tmp_path, embedding=floats(20, 8), tokens=tokens)
        == "f(embedding: Float32[V, D], tokens: Int32[B, T]) -> Float32[B, T, D]"
    )


def test_no_letter_is_one_that_linters_report(tmp_path: Path) -> None:
    text = "def f(n_in, n_out):\n    return jnp.zeros((n_in, n_out))\n"
    assert (
        written(text, floats(3, 4), tmp_path, n_in=3, n_out=4)
        == "f(n_in: In, n_out: Out) -> Float32[In, Out]"
    )


def test_layers_that_are_as_wide_by_chance(tmp_path: Path) -> None:
    text = 'def f(p, x):\n    return jnp.tanh(x @ p["w"] + p["b"]) @ p["v"] + p["c"]\n'
    layers = {"w": floats(4, 7), "b": floats(7), "v": floats(7, 4), "c": floats(4)}
    result = written(text, floats(3, 4), tmp_path, p=layers, x=floats(3, 4))
    assert result == "f(p: dict[str, Float32], x: Float32[B, D]) -> Float32[B, Any]"
    square = 'def f(p, x):\n    return x + x @ p["w"] + p["b"]\n'
    result = written(square, floats(3, 4), tmp_path, p={"w": floats(4, 4), "b": floats(4)}, x=floats(3, 4))
    assert result == "f(p: dict[str, Float32], x: Float32[B, D]) -> Float32[B, D]"
    error = 'def f(p, x, y):\n    return ((x @ p["w"]) @ p["v"] + p["c"] - y) ** 2\n'
    result = written(error, floats(3, 4), tmp_path, p=layers, x=floats(3, 4), y=floats(3, 4))
    assert result == "f(p: dict[str, Float32], x: Float32[B, D], y: Float32[B, H]) -> Float32[B, H]"
