"""What is kept of an object that a run showed: its type, an array's dtype and sizes, what a container holds.

No contents of an array are kept, and of the program's other data only small numbers, which may be sizes. Two objects of
which the same is kept are equal here, so that a million calls with arrays of one shape are one fact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from jaxtyping_core.domain.arrays import AbstractArray

#: The class under which a dtype is kept, and a class that stands for one, such as `jax.numpy.float32`.
DTYPE = "numpy.dtype"


class Observed:
    """What is kept of one object."""

    __slots__ = ()
    tag: ClassVar[str]


@dataclass(frozen=True, slots=True)
class Array(Observed):
    """An array, or a tracer of one as the function that got it sees it: below `vmap`, without the mapped axis.

    `library` is "jax" or "numpy"; a size is None where it is symbolic. A typed random key has a dtype ``key<fry>``.
    """

    tag: ClassVar[str] = "array"
    dtype: str
    dims: tuple[int | None, ...]
    weak: bool = False
    library: str = "jax"

    @property
    def known(self) -> AbstractArray:
        """What describes this array alone, but for symbolic sizes."""
        return AbstractArray.of(self.dtype, self.weak, self.dims)


@dataclass(frozen=True, slots=True)
class Scalar(Observed):
    """None, or a bool, int, float, complex or str; `value` is kept of None, bools, and ints that may be sizes."""

    tag: ClassVar[str] = "scalar"
    kind: str
    value: bool | int | None = None


@dataclass(frozen=True, slots=True)
class Items(Observed):
    """A tuple or a list (`kind`), or a named tuple, whose class is `type`, under its module and qualified name."""

    tag: ClassVar[str] = "items"
    kind: str
    items: tuple[Observed, ...]
    type: str | None = None
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dict(Observed):
    """A dict, or an object of the class `type` that is one; only keys that are strings or ints are kept."""

    tag: ClassVar[str] = "dict"
    keys: tuple[str | int, ...]
    items: tuple[Observed, ...]
    type: str | None = None


@dataclass(frozen=True, slots=True)
class Object(Observed):
    """Any other object, by its class; `fields` are those in which arrays were found, of dataclasses and their like."""

    tag: ClassVar[str] = "object"
    type: str
    names: tuple[str, ...] = ()
    fields: tuple[Observed, ...] = ()
    #: A function, a method, a `partial`, a class or a transformed function.
    called: bool = False


@dataclass(frozen=True, slots=True)
class Many(Observed):
    """A list of which all items are as `item` says; `length` is None where it was not always the same."""

    tag: ClassVar[str] = "many"
    item: Observed
    length: int | None = None


@dataclass(frozen=True, slots=True)
class Cut(Observed):
    """What was not looked at: too deep, too many items, or seen before in the same object."""

    tag: ClassVar[str] = "cut"


@dataclass(frozen=True, slots=True)
class Computed(Observed):
    """What the program itself computed, or passed to a function of its own: all that is known of it is of the run."""

    tag: ClassVar[str] = "computed"
    value: Observed


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function: what it got, under the names of its parameters, and what it gave.

    The items of ``*args`` and ``**kwargs`` are one tuple and one dict under the parameter's own name. `returned` is None
    where the call raised or had not ended. A generator and a coroutine give objects of these classes.
    """

    arguments: tuple[tuple[str, Observed], ...]
    returned: Observed | None


@dataclass(frozen=True, slots=True)
class Function:
    """A function of a file: `qualname` as Python has it, with ``<locals>``; `line` is that of its ``def``."""

    qualname: str
    line: int


KINDS: tuple[type[Any], ...] = (Array, Scalar, Items, Dict, Object, Many, Cut, Computed)
#: Under what name JSON has the tag: no field is called so.
TAG = "tag"
_BY_TAG = {kind.tag: kind for kind in KINDS}
_FIELDS: dict[type[Any], tuple[str, ...]] = {
    kind: tuple(field.name for field in fields(kind)) for kind in KINDS
}


def encode(value: Observed) -> dict[str, Any]:
    """A value as JSON holds it: an object with the tag of its kind and its fields."""
    return {TAG: value.tag} | {name: _plain(getattr(value, name)) for name in _FIELDS[type(value)]}


def decode(data: Mapping[str, Any]) -> Observed:
    """The value that `encode` made `data` of.

    Raises:
        LookupError, TypeError, ValueError: it made no such thing.
    """
    value: Observed = _BY_TAG[data[TAG]](
        **{name: _object(part) for name, part in data.items() if name != TAG}
    )
    return value


def _plain(part: Any) -> Any:
    if isinstance(part, Observed):
        return encode(part)
    return [_plain(item) for item in part] if isinstance(part, tuple) else part


def _object(part: Any) -> Any:
    if isinstance(part, dict):
        return decode(part)
    return tuple(_object(item) for item in part) if isinstance(part, list) else part


def inside(value: Observed) -> Iterator[Observed]:
    """A value and every value in it, outermost first."""
    yield value
    for name in _FIELDS[type(value)]:
        part = getattr(value, name)
        for item in part if isinstance(part, tuple) else (part,):
            if isinstance(item, Observed):
                yield from inside(item)
