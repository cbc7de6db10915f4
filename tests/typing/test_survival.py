"""The annotations go unchanged through everything that annotations go through."""

# ruff: noqa: UP044 - `Unpack` is what is tested

from __future__ import annotations

import collections.abc
import copy
import dataclasses
import gc
import pickle
import sys
import typing
from typing import Any, Literal, NewType, Optional, TypeVar, TypeVarTuple, Union

import jax.numpy as jnp
import pytest
import typing_extensions as te

from jaxtyping_core import dtypes
from jaxtyping_core import typing as jt
from jaxtyping_core._annotations.source import source
from jaxtyping_core.typing import Array, Bool, Float32, Int8

B = TypeVar("B", bound=int)
K = TypeVar("K", bound=int)
D = TypeVar("D", bound=jt.floating)
S = TypeVar("S", bound=tuple[Any, ...])
Bs = TypeVarTuple("Bs")
Width = NewType("Width", int)

EXAMPLES = {
    "Array": Array,
    "Array[floating]": Array[jt.floating],
    "Array[Any]": Array[Any],
    "Array[float32 | bool_]": Array[jt.float32 | jt.bool_],
    "Array[float32, tuple[()]]": Float32[()],
    "Array[float32, tuple[B, Literal[3]]]": Float32[B, Literal[3]],
    "Array[float32, tuple[Any, int, Literal[3, 4], Width]]": Float32[Any, int, Literal[3, 4], Width],
    "Array[float32, tuple[B, *Bs]]": Float32[B, *Bs],
    "Array[float32, tuple[B, *tuple[Any, ...], K]]": Float32[B, *tuple[Any, ...], K],
    "Array[float32, tuple[Any, ...]]": Array[jt.float32, tuple[Any, ...]],
    "Array[weak_int, tuple[B]]": Array[jt.weak_int, tuple[B]],
    "Array[D: floating, tuple[B]]": Array[D, tuple[B]],
    "Array[float8_e4m3fn, tuple[*Dims]]": jt.Float8E4M3FN,
}
every = pytest.mark.parametrize(("text", "annotation"), EXAMPLES.items(), ids=list(EXAMPLES))


@every
def test_the_text_is_the_source(text: str, annotation: Any) -> None:
    assert str(annotation) == annotation.__name__ == text
    assert repr(annotation) == f"<class 'jaxtyping_core.typing.{text}'>"
    assert repr(list[annotation]) == f"list[jaxtyping_core.typing.{text}]"


@every
def test_the_text_reads_back(text: str, annotation: Any) -> None:
    names = vars(typing) | vars(jt) | globals() | {"Dims": jt.Float8E4M3FN.__parameters__[0]}
    assert eval(text.replace("D: floating", "D"), names) is annotation


@every
@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(text: str, annotation: Any, protocol: int) -> None:
    assert pickle.loads(pickle.dumps(annotation, protocol)) is annotation
    assert pickle.loads(pickle._dumps([annotation], protocol)) == [annotation]  # type: ignore[attr-defined]


@every
def test_copy(text: str, annotation: Any) -> None:
    assert copy.copy(annotation) is annotation
    assert copy.deepcopy({"x": [annotation]}) == {"x": [annotation]}


@pytest.mark.parametrize("name", jt.__all__)
def test_every_public_name_pickles(name: str) -> None:
    value = getattr(jt, name)
    assert pickle.loads(pickle.dumps(value)) == value


def test_equality_and_hashing() -> None:
    again = {"Array": Array} | {str(a): a if a is Array else Array[a.__args__] for a in EXAMPLES.values()}
    assert again == EXAMPLES
    assert len(set(EXAMPLES.values()) | set(again.values())) == len(EXAMPLES)
    assert Float32[B, K] == Array[jt.float32, tuple[B, K]] == Array[jnp.float32, typing.Tuple[B, K]]  # noqa: UP006
    assert Float32[B] != Float32[K] != Float32[Any] != Int8[K]


def test_unused_annotations_are_freed() -> None:
    before = len(type.__subclasses__(Array))
    for size in range(1000, 1050):
        _ = Float32[Literal[size]]  # type: ignore[valid-type]
    del _
    gc.collect()
    assert len(type.__subclasses__(Array)) <= before + 1


def test_unions() -> None:
    union = Float32[B] | None
    assert union == Optional[Float32[B]] == Union[None, Float32[B]]  # noqa: UP007, UP045
    assert typing.get_args(union) == (Float32[B], type(None))
    assert repr(union) == "jaxtyping_core.typing.Array[float32, tuple[B]] | None"
    assert typing.get_args(Float32[B] | Int8 | Float32[B]) == (Float32[B], Int8)


def test_containers() -> None:
    container = dict[str, collections.abc.Callable[[Float32[B]], list[Bool[K]]]]
    key, function = typing.get_args(container)
    arguments, result = typing.get_args(function)
    assert (key, arguments, typing.get_origin(result)) == (str, [Float32[B]], list)
    assert typing.get_args(result) == (Bool[K],)
    assert typing.get_args(typing.Annotated[Float32[B], "units: m"]) == (Float32[B], "units: m")


@dataclasses.dataclass(frozen=True)
class Layer:
    weight: Float32[B, K]
    bias: Float32[K] | None = None
    masks: tuple[Bool[B], ...] = ()


class Point(typing.NamedTuple):
    x: Float32[()]


class Options(typing.TypedDict, total=False):
    scale: Float32[()]


def function(x: Float32[B, Literal[3]], *rest: Array, key: Array[jt.generic] | None = None) -> Float32[B]:
    raise NotImplementedError


HINTS = [
    (Layer, {"weight": Float32[B, K], "bias": Float32[K] | None, "masks": tuple[Bool[B], ...]}),
    (Point, {"x": Float32[()]}),
    (Options, {"scale": Float32[()]}),
    (
        function,
        {"x": Float32[B, Literal[3]], "rest": Array, "key": Array[jt.generic] | None, "return": Float32[B]},
    ),
]


@pytest.mark.parametrize(("owner", "expected"), HINTS, ids=lambda p: getattr(p, "__name__", ""))
@pytest.mark.parametrize("include_extras", [False, True])
def test_get_type_hints(owner: Any, expected: dict[str, Any], include_extras: bool) -> None:
    """This file postpones its annotations, so they come from text."""
    assert all(isinstance(text, str | typing.ForwardRef) for text in owner.__annotations__.values())
    assert typing.get_type_hints(owner, include_extras=include_extras) == expected


def test_parts() -> None:
    assert Float32[B, Literal[3]].__args__ == (jt.float32, tuple[B, Literal[3]])
    assert Array[jt.floating].__args__ == (jt.floating, Any)
    assert Array.__args__ == Array.__parameters__ == ()
    assert typing.get_origin(Float32[B]) is None  # it is a class, not an alias
    assert Array[D, tuple[B, K, B, *Bs]].__parameters__ == (D, B, K, Bs)
    assert Array[D, S].__parameters__ == (D, S)


SUBSTITUTIONS = [
    (Array[D, tuple[B, B]][jt.float32, Literal[3]], Float32[Literal[3], Literal[3]]),
    (Array[D, tuple[B, K]][jnp.float32, K, B], Float32[K, B]),
    (Array[D, S][jt.float32, tuple[B]], Float32[B]),
    (Array[D][jt.float32], Array[jt.float32]),
    (Float32[B, *Bs][Literal[1], K, Any], Float32[Literal[1], K, Any]),
    (Float32[*Bs][()], Float32[()]),
    (Float32[*Bs, Literal[3]][B], Float32[B, Literal[3]]),
    (Float32[*Bs, Literal[3]][*tuple[Any, ...]], Float32[*tuple[Any, ...], Literal[3]]),
    (Float32[*tuple[()]], Float32[()]),
]


@pytest.mark.parametrize(("substituted", "expected"), SUBSTITUTIONS, ids=lambda p: str(p))
def test_substitution(substituted: Any, expected: Any) -> None:
    assert substituted is expected


def test_text_of_the_rarer_annotations() -> None:
    assert source(int | None) == "int | NoneType"
    assert source(TypeVar("N", Literal[1], Literal[2])) == "N: Literal[1] | Literal[2]"


def test_typing_extensions() -> None:
    """On Python 3.11 some of its forms are not those of `typing`."""
    rank: Any = te.TypeVarTuple("rank", default=te.Unpack[tuple[Any, ...]])
    size: Any = te.TypeVar("size", bound=int, default=Any)
    three: Any = te.TypeAliasType("three", Literal[3])
    assert Float32[B, te.Unpack[Bs]] is Float32[B, *Bs] is Array[jt.float32, tuple[B, te.Unpack[Bs]]]
    assert Float32[te.Unpack[tuple[Any, ...]]] is Float32[*tuple[Any, ...]]
    assert Float32[B, te.Unpack[Bs]][K, te.Unpack[Bs]] is Float32[K, *Bs]
    assert Float32[size, te.Unpack[rank]].__parameters__ == (size, rank)
    assert [isinstance(jnp.ones(s), Float32[size, three, te.Unpack[rank]]) for s in ((2, 3), (3, 2))] == [
        True,
        False,
    ]
    assert isinstance(jnp.ones(3), Float32[typing.Annotated[three, "channels"]])


PEP_695 = """
from jaxtyping_core.typing import *
from typing import Literal
import jax.numpy as jnp

type Batch = Literal[2]
type Matrix = tuple[Batch, Literal[3]]
type Real = float32 | bfloat16

def f[B: int, D: floating](x: Float32[B, B], y: Array[D, tuple[B]]) -> Array[D]: ...

class Layer[N: int]:
    weight: Float32[N, N]

def g[*Bs](x: Float32[*Bs, Literal[3]]): ...
"""


@pytest.mark.skipif(sys.version_info < (3, 12), reason="PEP 695 is syntax of Python 3.12")
def test_pep_695() -> None:
    space: dict[str, Any] = {}
    exec(compile(PEP_695, "<PEP 695>", "exec", dont_inherit=True), space)  # noqa: S102 - syntax of 3.12
    hints = typing.get_type_hints(space["f"])
    assert [isinstance(jnp.ones(s), hints["x"]) for s in ((2, 2), (2, 3))] == [True, False]
    assert [isinstance(jnp.ones(2, t), hints["return"]) for t in (jt.bfloat16, jt.int8)] == [True, False]
    assert str(hints["y"]) == "Array[D: floating, tuple[B]]"
    weight = typing.get_type_hints(space["Layer"])["weight"]
    assert weight.__parameters__ == space["Layer"].__type_params__
    assert isinstance(jnp.ones((4, 5, 3)), typing.get_type_hints(space["g"])["x"])
    aliased = Array[space["Real"], space["Matrix"]]
    assert [isinstance(jnp.ones((2, 3), t), aliased) for t in (jt.bfloat16, jt.int8)] == [True, False]
    assert not isinstance(jnp.ones((3, 3)), aliased)


def test_aliases_name_the_classes_of_the_table() -> None:
    names = {row.alias: row.class_name for row in dtypes.DTYPES.values() if row.name != "StringDType"}
    names |= {alias: name for name, alias in dtypes.ABSTRACT_ALIASES.items()}
    assert {alias: getattr(jt, alias).__args__[0].__name__ for alias in names} == names
    own = {"Array", "ArrayLike", "DType", "DTypeLike", "Like", "NamedShape", "Shape", "ShapeLike", "is_array"}
    assert sorted(jt.__all__) == sorted({*names, *names.values(), *dtypes.WEAK, *own})
    assert all(hasattr(jt, name) for name in jt.__all__)
