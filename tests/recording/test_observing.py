"""What is kept of an object, and that looking at it does nothing else."""

from __future__ import annotations

import collections
import dataclasses
import functools
import json
from collections.abc import Callable
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

from jaxtyping_core import dtypes
from jaxtyping_core.recording.observe import LARGEST_SIZE, WIDTH, Observer, observe
from jaxtyping_core.recording.observed import (
    DTYPE,
    Array,
    Call,
    Cut,
    Dict,
    Items,
    Object,
    Observed,
    Scalar,
    decode,
    encode,
    inside,
)

X = jnp.ones((2, 3))
A = Array("float32", (2, 3))


class Pair(NamedTuple):
    left: Any
    right: Any


@dataclasses.dataclass
class Plain:
    weight: Any
    width: int


@dataclasses.dataclass(slots=True)
class Slots:
    weight: Any
    unset: Any = dataclasses.field(init=False)


class Module(eqx.Module):
    weight: jax.Array
    name: str = eqx.field(static=True)


@jax.tree_util.register_pytree_node_class
class Node:
    def __init__(self, child: Any) -> None:
        self.child = child

    def tree_flatten(self) -> Any:
        raise AssertionError("the program's code was called")

    @classmethod
    def tree_unflatten(cls, aux: None, children: Any) -> Any:
        raise AssertionError("the program's code was called")


class Other:
    def __init__(self) -> None:
        self.weight = X


def named(cls: type) -> str:
    return f"{__name__}.{cls.__qualname__}"


OBJECTS: list[tuple[object, Observed]] = [
    (X, A),
    (jnp.asarray(2.0), Array("float32", (), weak=True)),
    (jax.random.key(0), Array("key<fry>", ())),
    (np.ones((4, 1), "int8"), Array("int8", (4, 1), library="numpy")),
    (np.float64(2), Array("float64", (), library="numpy")),
    (np.ma.masked_array([1]), Array("int64", (1,), library="numpy")),
    (np.zeros(2, ml_dtypes.bfloat16), Array("bfloat16", (2,), library="numpy")),
    (np.zeros(2, jax.dtypes.float0), Array("float0", (2,), library="numpy")),
    (None, Scalar("None")),
    (True, Scalar("bool", True)),
    (0, Scalar("int", 0)),
    (LARGEST_SIZE, Scalar("int", LARGEST_SIZE)),
    (LARGEST_SIZE + 1, Scalar("int")),
    (-1, Scalar("int")),
    (1.5, Scalar("float")),
    (1j, Scalar("complex")),
    ("secret", Scalar("str")),
    ((X, [1, ()]), Items("tuple", (A, Items("list", (Scalar("int", 1), Items("tuple", ())))))),
    (Pair(X, 1), Items("tuple", (A, Scalar("int", 1)), named(Pair), ("left", "right"))),
    ({"w": X, 3: None, 2.5: X, True: X}, Dict(("w", 3), (A, Scalar("None")))),
    (collections.OrderedDict(a=X), Dict(("a",), (A,), "collections.OrderedDict")),
    (collections.defaultdict(list, a=X), Dict(("a",), (A,), "collections.defaultdict")),
    (Plain(X, 3), Object(named(Plain), ("weight",), (A,))),
    (Plain([{"a": X}], 3), Object(named(Plain), ("weight",), (Items("list", (Dict(("a",), (A,)),)),))),
    (Plain("secret", 3), Object(named(Plain))),
    (Slots(X), Object(named(Slots), ("weight",), (A,))),
    (Module(X, "secret"), Object(named(Module), ("weight",), (A,))),
    (Node(Node(X)), Object(named(Node), ("child",), (Object(named(Node), ("child",), (A,)),))),
    (Other(), Object(named(Other))),
    ({X.shape}, Object("builtins.set")),
    (observe, Object("builtins.function", called=True)),
    (len, Object("builtins.builtin_function_or_method", called=True)),
    (functools.partial(observe, X), Object("functools.partial", called=True)),
    (Other, Object("builtins.type", called=True)),
    (float, Object("builtins.type", called=True)),
    *(
        (each, Object(DTYPE))
        for each in (jnp.float32, np.float32, ml_dtypes.bfloat16, np.dtype("int8"), X.dtype)
    ),
]


@pytest.mark.parametrize(("value", "kept"), OBJECTS, ids=lambda value: type(value).__name__)
def test_what_is_kept_of_an_object(value: object, kept: Observed) -> None:
    observer = Observer()
    observed = observer.observe(value)
    assert observed == kept
    assert observer.observe(value) is observed
    assert decode(json.loads(json.dumps(encode(observed)))) == observed
    assert "secret" not in str(observed)


def test_every_dtype_has_our_name() -> None:
    for name, row in dtypes.DTYPES.items():
        if row.kind not in "VT" and row.bits in (
            8,
            16,
            32,
        ):  # JAX has no others without 64-bit types everywhere
            assert observe(jnp.zeros(1, name)) == Array(name, (1,))


def test_a_transformed_function_is_one() -> None:
    for function in (
        jax.jit(jnp.sin),
        jax.custom_jvp(jnp.sin),
        jax.custom_vjp(jnp.sin),
        jnp.exp,
    ):
        observed = observe(function)
        assert isinstance(observed, Object) and observed.called, function


def transformed() -> list[tuple[Callable[[Any], Any], Observed]]:
    return [
        (lambda see: jax.jit(see)(X), A),
        (lambda see: jax.jit(see)(1.0), Array("float32", (), weak=True)),
        (lambda see: jax.vmap(see)(X), Array("float32", (3,))),
        (lambda see: jax.vmap(see, in_axes=1)(X), Array("float32", (2,))),
        (lambda see: jax.vmap(jax.vmap(see))(X), Array("float32", ())),
        (lambda see: jax.jit(jax.vmap(jax.grad(lambda x: see(x).sum())))(X), Array("float32", (3,))),
        (lambda see: jax.lax.scan(lambda c, x: (c, see(x)), 0, X), Array("float32", (3,))),
        (lambda see: jax.eval_shape(see, X), A),
        (lambda see: jax.jvp(see, (X,), (X,)), A),
        (
            lambda see: jax.export.export(jax.jit(see))(
                jax.ShapeDtypeStruct(jax.export.symbolic_shape("n, 3"), "float32")
            ),
            Array("float32", (None, 3)),
        ),
    ]


@pytest.mark.parametrize("number", range(10))
def test_a_tracer_is_what_the_function_sees(number: int) -> None:
    call, kept = transformed()[number]
    observed: list[Observed] = []

    def see(x: Any) -> Any:
        observed.append(observe(x))
        return x

    call(see)
    assert set(observed) == {kept}


def test_an_array_that_is_gone_is_known_by_its_shape() -> None:
    x = jnp.ones((2, 3))
    x.delete()
    assert observe(x) == A


def test_large_and_endless_objects_are_cut() -> None:
    assert observe([X] * 10_000) == Items("list", (*[A] * WIDTH, Cut()))
    assert observe({str(n): n for n in range(10_000)}) == Cut()
    endless: list[Any] = [1]
    endless.append(endless)
    assert observe(endless) == Items("list", (Scalar("int", 1), Cut()))
    node = Node(None)
    node.child = [node, X]
    cut = Object(named(Node))
    assert observe(node) == Object(named(Node), ("child",), (Items("list", (cut, A)),))
    deep: Any = X
    for _ in range(100):
        deep = [deep]
    assert len(list(inside(observe(deep)))) < 20
    wide = [[[X] * 50] * 50] * 50  # of which not all is looked at
    assert len(list(inside(observe(wide)))) < 5000


def test_the_attributes_of_an_instance() -> None:
    assert Observer().attributes(Plain(X, 3)) == {"weight": A, "width": Scalar("int", 3)}
    assert Observer().attributes(Slots(X)) == {"weight": A}
    assert Observer().attributes(Other(), {"other"}) == {}
    assert Observer().attributes(3) == {}


def test_nothing_of_an_observation_is_lost() -> None:
    call = Call((("x", observe([X, {"a": Pair(X, None)}])),), None)
    assert all(decode(encode(value)) == value for _, value in call.arguments)
