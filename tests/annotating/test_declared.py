"""Programs whose annotations are partly there: what classes declare of their fields, and functions of their parameters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotating.facts_by_hand import annotated, call, floats, heads, instance
from jaxtyping_core.recording.observed import DTYPE, Array, Object

pytestmark = pytest.mark.one_python

IMPORTS = """\
from typing import NamedTuple
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Num

class Attention(NamedTuple):
    wq: Float[Array, "d h k"]
    wo: Float[Array, "h k d"]

class Dense(NamedTuple):
    weight: Float[Array, "i o"]
    bias: Float[Array, " o"]

class Model(NamedTuple):
    layers: list[Dense]
    scale: Float[Array, "..."]

class Count(NamedTuple):
    n: Num[Array, ""]

"""


def attention(d: int, h: int, k: int) -> Any:
    return instance("Attention", wq=floats(d, h, k), wo=floats(h, k, d))


def dense(i: int, o: int, dtype: str = "float32") -> Any:
    return instance("Dense", weight=floats(i, o, dtype=dtype), bias=floats(o, dtype=dtype))


def written(body: str, result: object, folder: Path, **arguments: Any) -> str:
    text = annotated(IMPORTS + body, {"f": [call(result, **arguments)]}, folder, "jaxtyping")
    return heads(text)[-1]


def test_a_size_has_the_name_that_fields_have_for_it(tmp_path: Path) -> None:
    body = (
        "def f(p: Attention, x):\n"
        '    q = jnp.einsum("btd,dhk->bthk", x, p.wq)\n'
        '    s = jax.nn.softmax(jnp.einsum("bthk,bshk->bhts", q, q))\n'
        '    return jnp.einsum("bhts,bshk,hkd->btd", s, q, p.wo)\n'
    )
    head = "f(p: Attention, x: Float32[Array, 'b t d']) -> Float32[Array, 'b t d']"
    for p, x in ((attention(16, 4, 4), floats(4, 8, 16)), (attention(8, 8, 8), floats(8, 8, 8))):
        assert written(body, x, tmp_path, p=p, x=x) == head


def test_equal_sizes_of_one_object_are_told_apart_by_their_names(tmp_path: Path) -> None:
    body = 'def f(p: Attention, x):\n    return jnp.einsum("btd,dhk->bhtk", x, p.wq)\n'
    result = written(body, floats(8, 8, 8, 8), tmp_path, p=attention(8, 8, 8), x=floats(8, 8, 8))
    assert result.endswith("x: Float32[Array, 'b t d']) -> Float32[Array, 'b h t k']")


def test_no_other_size_has_a_name_of_a_field(tmp_path: Path) -> None:
    body = "def f(p: Attention, x, y):\n    return x + p.wq.sum(), y\n"
    result = written(
        body, (floats(5, 7), floats(7)), tmp_path, p=attention(3, 2, 2), x=floats(5, 7), y=floats(7)
    )
    assert "'h'" not in result and " d'" not in result and " k'" not in result


def test_layers_with_different_sizes_of_one_name(tmp_path: Path) -> None:
    body = (
        "def f(m: Model, x):\n"
        "    for layer in m.layers:\n"
        "        x = x @ layer.weight + layer.bias\n"
        "    return x\n"
    )
    model = instance("Model", layers=[dense(3, 5), dense(5, 7)], scale=floats())
    result = written(body, floats(2, 7), tmp_path, m=model, x=floats(2, 3))
    assert " i'" not in result and " o'" not in result  # which stand for two sizes each


def test_an_open_dtype_of_a_field_opens_the_result_that_follows_it(tmp_path: Path) -> None:
    body = "def f(p: Dense, x):\n    return p.bias * 2, x @ p.weight, x.sum()\n"
    seen = floats(5), floats(2, 5), floats()
    result = written(body, seen, tmp_path, p=dense(3, 5), x=floats(2, 3))
    assert result.endswith(
        "-> tuple[Float[Array, 'o'], Float32[Array, 'b o'], Float32[Array, '']]"
    )  # JAX gives float32 of bfloat16 and float32
    half = written(
        "def f(p: Dense):\n    return p.bias * 2\n",
        floats(5, dtype="bfloat16"),
        tmp_path,
        p=dense(3, 5, "bfloat16"),
    )
    assert half.endswith("-> Float[Array, 'o']")
    body = "def f(c: Count):\n    return c.n + 1\n"
    number = written(body, Array("int32", ()), tmp_path, c=instance("Count", n=Array("int32", ())))
    assert number.endswith("-> Num[Array, '']")


def test_where_no_walk_tells_an_open_dtype_opens_the_result(tmp_path: Path) -> None:
    body = "import other\ndef f(p: Dense):\n    return other.of(p)\n"
    assert written(body, floats(5), tmp_path, p=dense(3, 5)).endswith("-> Float[Array, '_']")


def test_names_of_parameters_that_are_annotated_are_kept(tmp_path: Path) -> None:
    body = 'def f(x: Float[Array, "rows cols"], w):\n    return x @ w, x * 2\n'
    result = written(body, (floats(3, 3), floats(3, 3)), tmp_path, x=floats(3, 3), w=floats(3, 3))
    assert result == (
        "f(x: Float[Array, 'rows cols'], w: Float32[Array, 'cols d']) -> "
        "tuple[Float32[Array, 'rows d'], Float[Array, 'rows cols']]"
    )


def test_a_dtype_that_is_passed_opens_what_has_it(tmp_path: Path) -> None:
    dtype = Object(DTYPE)
    body = "def f(x, dtype):\n    return x.astype(dtype), x * 2\n"
    seen = floats(6, 6, dtype="bfloat16"), floats(6, 6)
    result = written(body, seen, tmp_path, x=floats(6, 6), dtype=dtype)
    assert result.endswith("-> tuple[Shaped[Array, 'b d'], Float32[Array, 'b d']]")


def test_a_dtype_that_is_passed_and_one_that_is_open_may_be_the_same(tmp_path: Path) -> None:
    body = "def f(p: Dense, x, dtype):\n    return x.astype(dtype) @ p.weight\n"
    result = written(body, floats(2, 5), tmp_path, p=dense(3, 5), x=floats(2, 3), dtype=Object(DTYPE))
    assert result.endswith("-> Float[Array, 'b o']")


def test_sizes_that_follow_from_a_number_that_is_passed_are_open(tmp_path: Path) -> None:
    body = (
        "def f(x, p, h, w):\n"
        "    b, n, d = x.shape\n"
        "    x = x.reshape(b, h // p, w // p, p, p, d // p**2).transpose(0, 1, 3, 2, 4, 5)\n"
        "    return x.reshape(b, h, w, d // p**2)\n"
    )
    result = written(body, floats(2, 16, 16, 4), tmp_path, x=floats(2, 16, 64), p=4, h=16, w=16)
    assert result.endswith("-> Float32[Array, 'b _ _ _']")
