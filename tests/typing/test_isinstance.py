"""`isinstance` with the annotations: against the table, against JAX, for shapes, tracers and odd arrays."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Literal, NewType, TypeVar, TypeVarTuple

import jax
import jax.export
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxtyping_core import dtypes
from jaxtyping_core import typing as jt
from jaxtyping_core.typing import Array, Float32, Shaped, is_array

B = TypeVar("B", bound=int)
N = TypeVar("N", bound=int)
Small = TypeVar("Small", Literal[1], Literal[2])
Width = NewType("Width", int)
Bs = TypeVarTuple("Bs")

ALIASES = {row.alias: row.name for row in dtypes.DTYPES.values() if row.name != "StringDType"}


def inside(dtype: Any, ask: Callable[[Any], Any], *, shape: tuple[Any, ...] = (2, 3)) -> Any:
    """What `ask` says about a tracer of `dtype` (JAX traces dtypes that the device cannot compute with)."""
    answers: list[Any] = []
    with jax.enable_x64(True):
        jax.eval_shape(lambda x: answers.append(ask(x)), jax.ShapeDtypeStruct(shape, dtype))
    return answers[0]


@pytest.mark.parametrize("name", dtypes.available())
def test_every_annotation_agrees_with_the_table(name: str) -> None:
    above = {dtypes.ABSTRACT_ALIASES[a] for a in dtypes.ancestors(name)}
    expected = above | {alias for alias, of in ALIASES.items() if of == name}
    every = (*ALIASES, *dtypes.ABSTRACT_ALIASES.values())
    assert (
        inside(dtypes.numpy_dtype(name), lambda x: {a for a in every if isinstance(x, getattr(jt, a))})
        == expected
    )


@pytest.mark.parametrize("name", [name for name in dtypes.available() if dtypes.DTYPES[name].promotes])
def test_abstract_annotations_agree_with_jax(name: str) -> None:
    dtype = dtypes.numpy_dtype(name)
    for abstract, alias in dtypes.ABSTRACT_ALIASES.items():
        expected = jnp.issubdtype(dtype, getattr(jnp, abstract))
        assert inside(dtype, lambda x, alias=alias: isinstance(x, getattr(jt, alias))) == expected, abstract


@pytest.mark.parametrize("name", dtypes.available())
def test_concrete_arrays_answer_as_their_tracers(name: str) -> None:
    every = [getattr(jt, alias) for alias in (*ALIASES, *dtypes.ABSTRACT_ALIASES.values())]
    with jax.enable_x64(True):
        try:
            x = jnp.zeros((2, 3), dtypes.numpy_dtype(name))
        except (
            jax.errors.JaxRuntimeError,
            TypeError,
        ):  # this device has no such arrays; a tracer above stands for them
            x = jnp.zeros((2, 3))
    if isinstance(x, jax.Array):  # a float0 array is a NumPy array, see below
        assert [isinstance(x, a) for a in every] == inside(
            x.dtype, lambda t: [isinstance(t, a) for a in every]
        )


@pytest.mark.parametrize("x64", [False, True])
@pytest.mark.parametrize("weak", [False, True])
@pytest.mark.parametrize("scalar", [int, float, complex])
def test_weak_types(scalar: type, weak: bool, x64: bool) -> None:
    with jax.enable_x64(x64):
        x = jnp.asarray(scalar(1)) if weak else jnp.asarray(scalar(1), dtype=scalar)
    assert x.weak_type is weak
    for name, kind in dtypes.WEAK.items():
        expected = weak and kind == x.dtype.kind
        assert isinstance(x, Array[getattr(jt, name)]) is expected
    assert isinstance(x, Array[getattr(jt, x.dtype.name)])


def test_a_weak_array_of_another_dtype_is_not_weak_float() -> None:
    x = jax.lax.full_like(jnp.asarray(1.0), 1.0).astype(jnp.bfloat16)
    assert not isinstance(x, Array[jt.weak_float])


SHAPES = [
    (Float32, {(): True, (2,): True, (2, 3): True}),
    (Float32[()], {(): True, (0,): False, (1,): False}),
    (Float32[B], {(): False, (0,): True, (7,): True, (7, 1): False}),
    (Float32[Any, Literal[3]], {(2, 3): True, (3, 3): True, (3, 2): False, (3,): False, (1, 2, 3): False}),
    (Float32[int, Width], {(2, 3): True, (2,): False}),
    (Float32[Literal[1, 3]], {(1,): True, (2,): False, (3,): True}),
    (Float32[Literal[1, 2]], {(1,): True, (2,): True, (3,): False}),
    (Float32[Small], {(1,): True, (2,): True, (3,): False}),
    (Float32[N, N], {(3, 3): True, (3, 4): False, (0, 0): True}),
    (Float32[N, B, N], {(3, 4, 3): True, (3, 4, 4): False}),
    (Float32[Width, Width], {(3, 3): True, (3, 4): False}),
    (Float32[B, *Bs], {(): False, (2,): True, (2, 3, 4): True}),
    (Float32[*Bs, Literal[3]], {(3,): True, (2, 3): True, (3, 2): False, (): False}),
    (Float32[N, *Bs, N], {(3, 3): True, (3,): False, (3, 9, 8, 3): True, (3, 9, 8, 4): False}),
    (Float32[*tuple[int, ...]], {(): True, (2, 3): True}),
    (Float32[B, *tuple[Any, ...], Literal[3]], {(2, 3): True, (2, 9, 3): True, (3,): False}),
    (Float32[*tuple[Literal[3], ...]], {(): True, (3, 3): True, (3, 2): False}),
    (Float32[*tuple[B, Literal[3]], B], {(2, 3, 2): True, (2, 3, 3): False}),
    (Array[jt.float32, tuple[Any, ...]], {(): True, (2, 3): True}),
    (Array[jt.float32, tuple[B, ...]], {(): True, (2, 3): True}),
    (Array[jt.float32, tuple], {(): True, (2, 3): True}),
    (Array[jt.float32, jt.Shape], {(): True, (2, 3): True}),
    (Array[Any, tuple[B]], {(2,): True, (): False}),
]


@pytest.mark.parametrize(
    ("annotation", "answers"), SHAPES, ids=lambda p: str(p) if isinstance(p, type) else ""
)
def test_shapes(annotation: Any, answers: dict[tuple[int, ...], bool]) -> None:
    assert {shape: isinstance(jnp.zeros(shape), annotation) for shape in answers} == answers


VARIABLES = [TypeVar(name, bound=int) for name in "XYZ"]
DIMS = st.one_of(st.integers(0, 2), st.sampled_from([Any, *VARIABLES]))


def fits(dims: list[Any], shape: tuple[int, ...]) -> bool:
    """The rule in another form: try every assignment of sizes to variables."""
    if len(dims) != len(shape):
        return False
    for x, y, z in np.ndindex(3, 3, 3):
        value = dict(zip(VARIABLES, (x, y, z), strict=True))
        if all(d is Any or value.get(d, d) == s for d, s in zip(dims, shape, strict=True)):
            return True
    return False


@settings(deadline=None)  # the first array of a shape is compiled
@given(
    before=st.lists(DIMS, max_size=3),
    after=st.none() | st.lists(DIMS, max_size=2),
    shape=st.lists(st.integers(0, 2), max_size=5).map(tuple),
)
def test_generated_shapes(before: list[Any], after: list[Any] | None, shape: tuple[int, ...]) -> None:
    written = [[Literal[d] if isinstance(d, int) else d for d in part] for part in (before, after or [])]
    stars = [] if after is None else [*tuple[Any, ...]]
    annotation = Float32[(*written[0], *stars, *written[1])]
    spare = [0] if after is None else range(6)
    expected = any(fits([*before, *[Any] * k, *(after or [])], shape) for k in spare)
    assert isinstance(zeros(shape), annotation) is expected


@functools.cache
def zeros(shape: tuple[int, ...]) -> jax.Array:
    return jnp.zeros(shape)


SEEN: list[list[bool]] = []


def look(x: jax.Array) -> jax.Array:
    """Asks three questions of `x`: a vector of three float32, any array, a matrix."""
    SEEN.append([isinstance(x, a) for a in (Float32[Literal[3]], Array, Float32[Any, Any])])
    return x.sum()


@pytest.mark.parametrize(
    "call",
    [
        lambda: look(jnp.ones(3)),
        lambda: jax.jit(look)(jnp.ones(3)),
        lambda: jax.vmap(look)(jnp.ones((5, 3))),
        lambda: jax.grad(look)(jnp.ones(3)),
        lambda: jax.jit(jax.vmap(jax.grad(look)))(jnp.ones((5, 3))),
        lambda: jax.jvp(look, (jnp.ones(3),), (jnp.ones(3),)),
        lambda: jax.lax.map(look, jnp.ones((5, 3))),
        lambda: jax.checkpoint(look)(jnp.ones(3)),
    ],
    ids=["eager", "jit", "vmap", "grad", "jit-vmap-grad", "jvp", "map", "checkpoint"],
)
def test_tracers(call: Callable[[], Any]) -> None:
    SEEN.clear()
    call()
    assert SEEN and all(answers == [True, True, False] for answers in SEEN)


@pytest.mark.parametrize(
    "value", [1, 1.0, True, None, "x", [1.0], np.ones(3), np.float32(1), jnp.float32, Array]
)
def test_other_values_are_no_arrays(value: Any) -> None:
    assert not isinstance(value, Array)
    assert not isinstance(value, Shaped)


def test_keys_are_arrays_of_no_number() -> None:
    keys = jax.random.split(jax.random.key(0), 2)
    answers = {
        a: isinstance(keys, a) for a in (Array, Array[jt.generic], Shaped[Literal[2]], Shaped[Literal[3]])
    }
    assert list(answers.values()) == [True, True, True, False]
    assert not any(
        isinstance(keys, Array[getattr(jt, name)]) for name in (*dtypes.WEAK, "number", "uint32", "bool_")
    )


def test_float0_gradients_are_numpy_arrays() -> None:
    gradient = jax.grad(lambda x: 1.0 * x, allow_int=True)(3)
    assert gradient.dtype == jax.dtypes.float0
    assert isinstance(gradient, np.ndarray) and not isinstance(gradient, Array)


def test_symbolic_dims_fit_dims_of_any_size_only() -> None:
    b, c = jax.export.symbolic_shape("b, c")
    asked = (Float32, Float32[B, N], Float32[N, N], Float32[B, Literal[3]])
    answers = inside(jnp.float32, lambda x: [isinstance(x, a) for a in asked], shape=(b, c))
    assert answers == [True, True, False, False]
    assert inside(jnp.float32, lambda x: isinstance(x, Float32[N, N]), shape=(b, b))


def test_unions_and_patterns() -> None:
    assert isinstance(jnp.ones(3), Float32[Literal[3]] | None)
    assert isinstance(None, Float32[Literal[3]] | None)
    assert not isinstance(jnp.ones(4), Float32[Literal[3]] | None)
    assert isinstance(jnp.ones(3), (int, Array))
    match jnp.ones(3):
        case jt.Float32():
            matched = True
        case _:
            matched = False
    assert matched


D = TypeVar("D", bound=jt.floating)
C = TypeVar("C", jt.float32, jt.int8)


@pytest.mark.parametrize(
    ("parameter", "accepted"),
    [
        (D, {"float32", "bfloat16"}),
        (C, {"float32", "int8"}),
        (TypeVar("T"), {"float32", "bfloat16", "int8", "bool_"}),
        (jt.float32 | jt.bool_, {"float32", "bool_"}),
        (jnp.float32, {"float32"}),
        (jnp.bool_, {"bool_"}),
        (jnp.floating, {"float32", "bfloat16"}),
        (jnp.generic, {"float32", "bfloat16", "int8", "bool_"}),
    ],
    ids=lambda p: ",".join(sorted(p)) if isinstance(p, set) else str(p),  # the same in every process
)
def test_dtype_parameters(parameter: Any, accepted: set[str]) -> None:
    names = ("float32", "bfloat16", "int8", "bool_")
    assert {n for n in names if isinstance(jnp.zeros(2, getattr(jt, n)), Array[parameter])} == accepted


SUBCLASSES = [
    (jax.Array, Array, True),
    (type(jnp.ones(1)), Array, True),
    (jax.Array, Shaped, True),
    (jax.Array, Float32, False),
    (np.ndarray, Array, False),
    (int, Array, False),
    (Float32, Array, True),
    (Array, Float32, False),
    (Float32[B], Float32, True),
    (Float32, Float32[B], False),
    (Float32[B], Array[jt.floating], True),
    (Array[jt.floating], Float32, False),
    (Array[jt.weak_float], Float32, False),  # with 64-bit types it is a float64
    (Float32[Literal[3]], Float32[Any], True),
    (Float32[Any], Float32[Literal[3]], False),
    (Float32[Literal[3], Literal[3]], Float32[N, N], True),
    (Float32[Literal[3], Literal[4]], Float32[N, N], False),
    (Float32[B, N], Float32[N, N], False),
    (Float32[B, B], Float32[N, N], True),
    (Float32[B, B], Float32[B, N], True),
    (Float32[Any, Any], Float32[N, N], False),
    (Float32[Literal[1, 2], Literal[1, 2]], Float32[N, N], False),
    (Float32, Array[jt.weak_float], False),
    (Array[jt.weak_float], Array[jt.floating], True),
    (Float32[B], Float32[B, B], False),
]


@pytest.mark.parametrize(("candidate", "parent", "expected"), SUBCLASSES, ids=str)
def test_issubclass(candidate: type, parent: type, expected: bool) -> None:
    assert issubclass(candidate, parent) is expected


def test_issubclass_takes_classes() -> None:
    with pytest.raises(TypeError, match="takes a class"):
        issubclass(3, Float32)  # type: ignore[arg-type]


def test_single_dispatch() -> None:
    @functools.singledispatch
    def kind(x: object) -> str:
        return "other"

    kind.register(Array)(lambda x: "array")
    assert (kind(jnp.ones(1)), kind(np.ones(1))) == ("array", "other")


def test_is_array_is_isinstance() -> None:
    for annotation in (Array, Float32, Float32[Any, Literal[3]], Array[jt.floating | jt.int8], jax.Array):
        for value in (jnp.ones((2, 3)), jnp.ones(3, "int8"), np.ones((2, 3)), 1.0, None):
            assert is_array(value, annotation) is isinstance(value, annotation)
    assert inside(jnp.bfloat16, lambda x: is_array(x, jt.BFloat16[Literal[2], Any]))


REMEDY = "Write one such as Float32[B, D], or Array[float32 | bfloat16] for one of several dtypes."


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (jt.float32, "float32 is not an array annotation. Write Array[float32]."),
        (
            jt.float32 | jt.int8,
            "float32 | int8 is not an array annotation. Write Array[float32 | int8].",
        ),
        (
            Float32[B] | None,
            f"Array[float32, tuple[B]] | NoneType is not an array annotation. {REMEDY}",
        ),
        (
            np.ndarray,
            f"ndarray is not an array annotation. {REMEDY}",
        ),
    ],
    ids=str,
)
def test_is_array_takes_annotations_of_arrays(wrong: Any, message: str) -> None:
    with pytest.raises(TypeError) as error:
        is_array(jnp.ones(3), wrong)
    assert str(error.value) == message
