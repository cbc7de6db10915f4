"""What a type checker refuses is refused at run time too, with a message that says what to write."""

from __future__ import annotations

from typing import Any, ForwardRef, Literal, TypeVar, TypeVarTuple

import jax.numpy as jnp
import numpy as np
import pytest

from jaxtyping_core import typing as jt
from jaxtyping_core.typing import Array, Float32

B = TypeVar("B", bound=int)
K = TypeVar("K", bound=int)
D = TypeVar("D", bound=jt.floating)
Bs = TypeVarTuple("Bs")
Pair = Array[D, tuple[B, B]]

DIMS = [
    (3, "3 is not a dim. Write Literal[3]."),
    ("B", "'B' is not a dim. Write a type variable without quotes"),
    (ForwardRef("B"), "Write a type variable without quotes"),
    (None, "None is not a dim. Write Any for a dim of any size."),
    ([B, K], "is not a dim. Write the dims one after the other"),
    (tuple[B, K], "tuple[B, K] is not a dim. Write *tuple[B, K] to put its dims here."),
    (Bs, "Bs is not a dim. Write *Bs."),
    (float, "float is not a dim. A dim is Literal[3], a type variable, Any or int."),
    (bool, "bool is not a dim."),
    (jt.float32, "float32 is not a dim."),
    (D, "floating is not a dim."),
    (-1, "-1 is not a dim: a size is an int, 0 or more."),
    (True, "True is not a dim: a size is an int, 0 or more."),
    (list[B], "list[B] is not a dim."),
    (Literal[-1], "Literal[-1] is not a dim: a size is an int, 0 or more."),
    (Literal["x"], "Literal['x'] is not a dim: a size is an int, 0 or more."),
    (Literal[True], "Literal[True] is not a dim"),
    (Float32, "is not a dim."),
]

CALLS: list[tuple[Any, str]] = [
    (
        lambda: jt.NamedShape(3),
        "NamedShape takes names with sizes, got 3. Write NamedShape(batch=8, width=32).",
    ),  # type: ignore[arg-type]
    (lambda: jt.NamedShape((2, 3)), "NamedShape takes names with sizes, got (2, 3)."),  # type: ignore[arg-type]
    (lambda: Float32[...], "takes dims, got `...`. Write *tuple[Any, ...] for any number of dims."),
    (lambda: Float32[int, ...], "takes dims, got `...`."),
    (lambda: Float32[*Bs, *tuple[int, ...]], "has 2 parts of unknown length. A shape has at most one."),
    (lambda: Float32[B, K][*Bs], "Array[float32, tuple[B, K]] takes B, K, got *Bs."),
    (lambda: Float32[B][Literal[3], K], "Array[float32, tuple[B]] takes B, got Literal[3], K."),
    (lambda: Pair[jt.float32], "takes D: floating, B, got float32."),
    (lambda: Pair[jt.float32, 3], "3 is not a dim. Write Literal[3]."),
    (lambda: Pair[B, jt.float32], "int is not a dtype class. Write int32, or weak_int"),
    (lambda: Float32[Literal[3]][B], "Array[float32, tuple[Literal[3]]] has no type variables to fill in."),
    (lambda: Array[()], "Write Array[float32, tuple[B, D]]."),
    (lambda: Array[jt.float32, B, K], "got 3 parameters. Write Array[float32, tuple[B, K]]."),
    (lambda: Array[jt.float32, (3, B)], "(3, B) is not a shape. Write tuple[Literal[3], B]."),
    (lambda: Array[jt.float32, [B, K]], "[B, K] is not a shape. Write tuple[B, K]."),
    (lambda: Array[jt.float32, list[B]], "list[B] is not a shape. Write tuple[B]."),
    (lambda: Array[jt.float32, B], "B is not a shape. Write a tuple type: tuple[B] has one dim."),
    (lambda: Array[jt.float32, D], "D: floating is not a shape. Write a tuple type such as tuple[B, D]."),
    (lambda: Array[jt.float32, "B D"], "'B D' is not a shape. Write a tuple type of type variables without"),
    (lambda: Array[jt.float32, None], "None is not a shape. Leave the shape out"),
    (lambda: Array[jt.float32, ...], "... is not a shape. Leave the shape out"),
    (
        lambda: Array[jt.float32, Literal[3]],
        "Literal[3] is not a shape. Write a tuple type: tuple[Literal[3]]",
    ),
    (lambda: Array[jt.float32, 3], "3 is not a shape."),
    (lambda: Array["float32"], "'float32' is not a dtype class. Write float32 from jaxtyping_core.typing."),
    (
        lambda: Array[np.float32],
        "numpy.float32 is not a dtype class. Write float32 from jaxtyping_core.typing.",
    ),
    (lambda: Array[np.dtype("bool")], "is not a dtype class. Write bool_ from jaxtyping_core.typing."),
    (
        lambda: Array[float],
        "float is not a dtype class. Write float32, or weak_float for arrays made from a Python float.",
    ),
    (lambda: Array[bool], "is not a dtype class. Write bool_."),
    (
        lambda: Array[tuple[B]],
        "tuple[B] is not a dtype class. Write one of the classes in jaxtyping_core.typing",
    ),
    (lambda: Array[[jt.float32]], "is not a dtype class."),
    (lambda: Array[jnp.ones], "is not a dtype class."),
    (lambda: Array(3), "Array is an annotation and cannot create arrays. Use jax.numpy.asarray."),
    (lambda: Float32[B](), "Array[float32, tuple[B]] is an annotation and cannot create arrays."),
    (lambda: type("Mine", (Array,), {}), "Mine cannot inherit from Array"),
    (lambda: type(Array)("Mine", (Float32[B],), {}), "Mine cannot inherit from Array[float32, tuple[B]]"),
    (
        lambda: type(Array)("Mine", (dict, Array), {}),
        "Keep the array in an attribute, or inherit from jax.Array.",
    ),
]


@pytest.mark.parametrize(("dim", "message"), DIMS, ids=[case[1][:30] for case in DIMS])
def test_dims(dim: Any, message: str) -> None:
    for make in (lambda: Float32[dim], lambda: Array[jt.float32, tuple[Any, dim]]):
        with pytest.raises(TypeError) as error:
            make()
        assert message in str(error.value)


@pytest.mark.parametrize(("call", "message"), CALLS, ids=[case[1][:40] for case in CALLS])
def test_spellings(call: Any, message: str) -> None:
    with pytest.raises(TypeError) as error:
        call()
    assert message in str(error.value)


def test_a_refused_annotation_leaves_nothing_behind() -> None:
    with pytest.raises(TypeError):
        _ = Float32[Literal[True]]
    assert isinstance(jnp.ones(1), Float32[Literal[1]])
