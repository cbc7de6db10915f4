"""beartype and typeguard check the annotations: right values pass, wrong ones are rejected, in jit too."""

from collections.abc import Callable
from typing import Any, Literal, Optional, TypeVar, Union

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from beartype import beartype
from beartype.roar import BeartypeCallHintViolation
from typeguard import TypeCheckError, typechecked

from jaxtyping_core import typing as jt
from jaxtyping_core.typing import (
    Array,
    ArrayLike,
    DTypeLike,
    Float32,
    Int32,
    Like,
    NamedShape,
    Shape,
    ShapeLike,
)

B = TypeVar("B", bound=int)
N = TypeVar("N", bound=int)

FRAMEWORKS = {"beartype": (beartype, BeartypeCallHintViolation), "typeguard": (typechecked, TypeCheckError)}
each_framework = pytest.mark.parametrize(("decorate", "violation"), FRAMEWORKS.values(), ids=list(FRAMEWORKS))
Decorator = Callable[[Any], Any]


def one_argument(annotation: Any, decorate: Decorator) -> Any:
    """A function of one argument with this annotation."""

    def take(x: annotation) -> None:
        pass

    return decorate(take)


f32 = jnp.ones((2, 3))
CASES: list[tuple[Any, list[Any], list[Any]]] = [
    (Array, [f32, jnp.arange(3), jax.random.key(0)], [1.0, np.ones(3), [f32]]),
    (Float32, [f32, jnp.ones(())], [jnp.ones(3, jnp.int32), 1.0]),
    (
        Float32[B, Literal[3]],
        [f32, jnp.ones((0, 3))],
        [jnp.ones((3, 2)), jnp.ones(3), f32.astype(jnp.bfloat16)],
    ),
    (Float32[N, N], [jnp.ones((2, 2))], [f32]),
    (Float32[()], [jnp.ones(())], [f32]),
    (Array[jt.floating], [f32, jnp.ones(3, jnp.bfloat16)], [jnp.arange(3)]),
    (Array[jt.weak_float], [jnp.asarray(1.0)], [jnp.float32(1), 1.0]),
    (Float32[B, Any] | None, [f32, None], [jnp.ones(3), 1]),
    (Optional[Float32[B, Any]], [f32, None], [jnp.ones(3), 1]),  # noqa: UP045
    (Union[Float32[B, Any], int], [f32, 1], [jnp.ones(3), None]),  # noqa: UP007
    (Float32[B, Any] | int, [f32, 1], [jnp.ones(3), None]),
    (list[Int32[B]], [[], [jnp.arange(3)]], [[f32], jnp.arange(3)]),
    (tuple[Float32, Int32], [(f32, jnp.arange(3))], [(f32, f32)]),
    (dict[str, Float32[B]], [{"a": jnp.ones(3)}], [{"a": f32}]),
    (ArrayLike, [f32, np.ones(3), np.float32(1), jnp.bfloat16(1), True, 1, 1.0, 1j], [[1.0], "x", None]),
    (
        Like[Float32[B, Any]],
        [f32, np.ones((2, 3)), np.ones((2, 3), "f4")],
        [np.ones(3), np.ones((2, 3), int), 1.0],
    ),
    (DTypeLike, ["int8", int, jnp.int8, jt.int8, np.int8, np.dtype("int8"), f32], [3, None, [int]]),
    (ShapeLike, [3, (2, 3), [2, 3], (), np.int32(3), NamedShape(a=2), range(3)], [1.5, (1.5,), "ab", None]),
    (Shape, [(2, 3), (), NamedShape(a=2)], [[2, 3], 3, ("a",)]),
    (NamedShape, [NamedShape(a=2)], [(2,), 2]),
]


@each_framework
@pytest.mark.parametrize(("annotation", "right", "wrong"), CASES, ids=[str(case[0])[:60] for case in CASES])
def test_arguments(
    annotation: Any, right: list[Any], wrong: list[Any], decorate: Decorator, violation: type[Exception]
) -> None:
    take = one_argument(annotation, decorate)
    for value in right:
        take(value)
    for value in wrong:
        with pytest.raises(violation):
            take(value)


@each_framework
@pytest.mark.parametrize("transform", [jax.jit, jax.vmap, jax.grad], ids=["jit", "vmap", "grad"])
def test_inside_transformations(transform: Any, decorate: Decorator, violation: type[Exception]) -> None:
    @decorate
    def norm(x: Float32[Literal[3]]) -> Float32[()]:
        return (x * x).sum()

    @decorate
    def wrong(x: Float32[Literal[3]]) -> Float32[Literal[1]]:
        return (x * x).sum()

    good, bad = (jnp.ones((5, 3)), jnp.ones((5, 4))) if transform is jax.vmap else (jnp.ones(3), jnp.ones(4))
    transform(norm)(good)
    for function, value in ((norm, bad), (norm, good.astype(jnp.bfloat16)), (wrong, good)):
        with pytest.raises(violation):
            transform(function)(value)


@each_framework
def test_same_names_in_other_scopes_are_other_variables(
    decorate: Decorator, violation: type[Exception]
) -> None:
    """beartype takes unions and containers with the same text for one, so different annotations need different texts."""

    def make(bound: Any) -> Any:
        D = TypeVar("D", bound=bound)
        return one_argument(Array[D] | None, decorate), one_argument(list[Array[D]], decorate)

    for bound, right, wrong in ((jt.floating, f32, jnp.arange(3)), (jt.integer, jnp.arange(3), f32)):
        alone, several = make(bound)
        alone(right)
        several([right])
        with pytest.raises(violation):
            alone(wrong)
        with pytest.raises(violation):
            several([wrong])


def test_the_messages_name_the_annotation() -> None:
    for decorate, violation in FRAMEWORKS.values():
        with pytest.raises(violation, match=r"Array\[float32, tuple\[B, Literal\[3\]\]\]"):
            one_argument(Float32[B, Literal[3]], decorate)(jnp.ones((3, 2)))
