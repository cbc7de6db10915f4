"""What is known of an argument or a result: one class for each kind, one way through all of them.

The plugin and the child both work with these objects and send them to each other as JSON (`encode`, `decode`): a list of
the kind's tag and its fields. The child runs this module too.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, TypeVar

from .arrays import AbstractArray

V = TypeVar("V", bound="Value")

#: How a field holds other values: it is one, several, pairs of them, or has them under names.
ONE, SEVERAL, PAIRS, NAMED = "one", "several", "pairs", "named"
#: How a field holds a set of strings.
STRINGS = "strings"


class Value:
    """What is known of one object of the program."""

    __slots__ = ()
    tag: ClassVar[str]
    #: The fields in which there are other values, and how they are held.
    parts: ClassVar[Mapping[str, str]] = {}


@dataclass(frozen=True, slots=True)
class Array(AbstractArray, Value):
    """An array. With `layer`, one of `jaxtyping_core.numpy`."""

    tag: ClassVar[str] = "array"
    layer: bool = False


#: The types of Python's numbers.
PYTHON_NUMBERS = (bool, int, float, complex)


@dataclass(frozen=True, slots=True)
class Scalar(Value):
    """A Python scalar of unknown value: of the type bool, int, float or complex."""

    tag: ClassVar[str] = "scalar"
    kind: str


@dataclass(frozen=True, slots=True, eq=False)
class Static(Value):
    """None, or a bool, int, float or str: equal to another only if that is of the same type."""

    tag: ClassVar[str] = "static"
    value: bool | int | float | str | None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Static):
            return False
        return type(self.value) is type(other.value) and self.value == other.value

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))


@dataclass(frozen=True, slots=True)
class Complex(Value):
    """A complex number."""

    tag: ClassVar[str] = "complex"
    real: float
    imag: float


@dataclass(frozen=True, slots=True)
class Size(Value):
    """A Python int that is a symbolic size."""

    tag: ClassVar[str] = "dim"
    expression: str


@dataclass(frozen=True, slots=True)
class Key(Value):
    """A random key, typed or raw; an array of dtype ``key<fry>`` is a typed one."""

    tag: ClassVar[str] = "key"


@dataclass(frozen=True, slots=True)
class DType(Value):
    """A dtype object."""

    tag: ClassVar[str] = "dtype"
    name: str


@dataclass(frozen=True, slots=True)
class Builtin(Value):
    """The class bool, int, float or complex, used as a dtype."""

    tag: ClassVar[str] = "builtin"
    name: str


@dataclass(frozen=True, slots=True)
class Items(Value):
    """A tuple or a list."""

    parts: ClassVar[Mapping[str, str]] = {"items": SEVERAL}
    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Tuple(Items):
    """A tuple; a named tuple too."""

    tag: ClassVar[str] = "tuple"


@dataclass(frozen=True, slots=True)
class List(Items):
    """A list."""

    tag: ClassVar[str] = "list"


@dataclass(frozen=True, slots=True)
class Dict(Value):
    """A dict, as pairs of its keys and items."""

    tag: ClassVar[str] = "dict"
    parts: ClassVar[Mapping[str, str]] = {"pairs": PAIRS}
    pairs: tuple[tuple[Value, Value], ...]


@dataclass(frozen=True, slots=True)
class Call(Value):
    """What a call returns, array or not: `protocol` says what `function` may be."""

    tag: ClassVar[str] = "call"
    parts: ClassVar[Mapping[str, str]] = {"args": SEVERAL, "kwargs": NAMED}
    function: str
    args: tuple[Value, ...]
    kwargs: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Lambda(Value):
    """A function with these parameters, which stand in its body as `Parameter`."""

    tag: ClassVar[str] = "lambda"
    parts: ClassVar[Mapping[str, str]] = {"body": ONE}
    names: tuple[str, ...]
    body: Value


@dataclass(frozen=True, slots=True)
class Parameter(Value):
    """A parameter of the function around it."""

    tag: ClassVar[str] = "parameter"
    name: str


@dataclass(frozen=True, slots=True)
class Slice(Value):
    """A slice."""

    tag: ClassVar[str] = "slice"
    parts: ClassVar[Mapping[str, str]] = {"start": ONE, "stop": ONE, "step": ONE}
    start: Value
    stop: Value
    step: Value


@dataclass(frozen=True, slots=True)
class Dots(Value):
    """The object ``...``."""

    tag: ClassVar[str] = "ellipsis"


@dataclass(frozen=True, slots=True)
class Named(Value):
    """An object of jax under its dotted path, such as a function or a member of an enum."""

    tag: ClassVar[str] = "named"
    path: str


@dataclass(frozen=True, slots=True)
class Own(Value):
    """What has a name at the top level of a module of the program; with no `module`, in an installed package, by its path."""

    tag: ClassVar[str] = "own"
    module: str
    name: str


@dataclass(frozen=True, slots=True)
class Unknown(Value):
    """A part of an answer that is not known."""

    tag: ClassVar[str] = "unknown"


@dataclass(frozen=True, slots=True)
class Anything(Value):
    """An argument of which nothing is known, but what kinds of values it may be: `UNKNOWN_KINDS` has them."""

    tag: ClassVar[str] = "anything"
    kinds: tuple[str, ...]


#: The kind of what may be anything at all: only a program's function takes such.
ANY = "any"
#: The kinds of what nothing is known of: an array or a Python number, a list of such, a size, several of them, ...
UNKNOWN_KINDS = ("array", "arrays", "int", "ints", "bool", "float", "complex", "none", "dtype")


@dataclass(frozen=True, slots=True)
class Either(Value):
    """One of several values: a union. The child is asked about each (`choices`), and never sees one."""

    tag: ClassVar[str] = "either"
    parts: ClassVar[Mapping[str, str]] = {"members": SEVERAL}
    members: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Many(Value):
    """A tuple or a list (`kind` is the tag) of any number of `item`. The child never sees one."""

    tag: ClassVar[str] = "many"
    parts: ClassVar[Mapping[str, str]] = {"item": ONE}
    kind: str
    item: Value

    def of_length(self, length: int) -> Items:
        """As many items as that."""
        return (Tuple if self.kind == Tuple.tag else List)((self.item,) * length)


KINDS: tuple[type[Any], ...] = (
    *(Array, Scalar, Static, Complex, Size, Key, DType, Builtin, Tuple, List, Dict, Call, Lambda, Parameter),
    *(Slice, Dots, Named, Own, Unknown, Anything, Either, Many),
)
_BY_TAG = {kind.tag: kind for kind in KINDS}
#: The fields of each kind, each with how it holds values; None where it holds none.
_FIELDS: dict[type[Value], tuple[tuple[str, str | None], ...]] = {
    kind: tuple(
        (field.name, STRINGS if field.name == "dtypes" else kind.parts.get(field.name))
        for field in fields(kind)
    )
    for kind in KINDS
}
NONE = Static(None)
#: The path of every function of the array layer starts like this.
LAYER = "jaxtyping_core.numpy."


def encode(value: Value) -> list[Any]:
    """A value as JSON holds it."""
    return [value.tag, *(_ENCODE[how](getattr(value, name)) for name, how in _FIELDS[type(value)])]


def decode(data: list[Any]) -> Value:
    """The value that `encode` made `data` of.

    Raises:
        LookupError, TypeError, ValueError: it made no such thing.
    """
    kind = _BY_TAG[data[0]]
    held = [how for _, how in _FIELDS[kind]]
    value: Value = kind(*(_DECODE[how](part) for how, part in zip(held, data[1:], strict=True)))
    return value


def _strings(raw: Any) -> frozenset[str]:
    if type(raw) is not list:
        raise TypeError("not a list of strings")
    return frozenset(raw)


_ENCODE: dict[str | None, Callable[[Any], Any]] = {
    None: lambda raw: list(raw) if type(raw) is tuple else raw,
    STRINGS: lambda raw: raw if raw is None else sorted(raw),
    ONE: encode,
    SEVERAL: lambda values: [encode(value) for value in values],
    PAIRS: lambda pairs: [[encode(key), encode(item)] for key, item in pairs],
    NAMED: lambda named: {name: encode(value) for name, value in named.items()},
}
_DECODE: dict[str | None, Callable[[Any], Any]] = {
    None: lambda raw: tuple(raw) if type(raw) is list else raw,
    STRINGS: lambda raw: None if raw is None else _strings(raw),
    ONE: decode,
    SEVERAL: lambda values: tuple(decode(value) for value in values),
    PAIRS: lambda pairs: tuple((decode(key), decode(item)) for key, item in pairs),
    NAMED: lambda named: {name: decode(value) for name, value in named.items()},
}
_CHILDREN: dict[str, Callable[[Any], Iterator[Value]]] = {
    ONE: lambda value: iter((value,)),
    SEVERAL: iter,
    PAIRS: itertools.chain.from_iterable,
    NAMED: lambda named: iter(named.values()),
}


def children(value: Value) -> list[Value]:
    """The values in the fields of `value`."""
    return [child for name, how in value.parts.items() for child in _CHILDREN[how](getattr(value, name))]


def with_children(value: V, new: list[Value]) -> V:
    """`value` with others in place of its `children`, in their order."""
    rest = iter(new)
    renewed: dict[str, Callable[[Any], Any]] = {
        ONE: lambda _: next(rest),
        SEVERAL: lambda old: tuple(next(rest) for _ in old),
        PAIRS: lambda old: tuple((next(rest), next(rest)) for _ in old),
        NAMED: lambda old: {name: next(rest) for name in old},
    }
    changes = {name: renewed[how](getattr(value, name)) for name, how in value.parts.items()}
    return replace(value, **changes) if changes else value  # type: ignore[type-var]  # each kind is a dataclass


def inside(value: Value) -> Iterator[Value]:
    """A value and every value in it, outermost first."""
    yield value
    for child in children(value):
        yield from inside(child)


def transform(value: Value, change: Callable[[Value], Value]) -> Value:
    """A value with `change` made to every value in it, innermost first."""
    if value.parts:
        value = with_children(value, [transform(child, change) for child in children(value)])
    return change(value)


def choices(value: Value) -> Iterator[Value]:
    """The values that `value` may be, with one member in place of every union in it."""
    if isinstance(value, Either):
        for member in value.members:
            yield from choices(member)
    elif value.parts:
        for chosen in itertools.product(*map(list, map(choices, children(value)))):
            yield with_children(value, list(chosen))
    else:
        yield value


def number_of_choices(value: Value) -> int:
    """How many `choices` there are; they are all made at once, so look at this first."""
    counts = map(number_of_choices, children(value))
    return sum(counts) if isinstance(value, Either) else math.prod(counts)


def functions_in(value: Value) -> list[Own]:
    """The program's own functions in `value`."""
    return [part for part in inside(value) if isinstance(part, Own)]


def mentions_layer(value: Value) -> bool:
    """Whether the array layer takes part in a call: one of its arrays or functions does."""
    return any(_is_of_layer(part) for part in inside(value))


def _is_of_layer(part: Value) -> bool:
    if isinstance(part, Array):
        return part.layer
    path = part.function if isinstance(part, Call) else part.path if isinstance(part, Named) else ""
    return path.startswith(LAYER)
