"""What all calls of a function agree on: one description for each parameter, and one for what it returns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from jaxtyping_core.domain.arrays import AbstractArray, join_all
from jaxtyping_core.recording import observed
from jaxtyping_core.recording.observed import DTYPE, Call, Observed

#: The name under which the result of a function stands beside its parameters.
RETURN = "return"
#: Where an object is in a call: a parameter or `RETURN`, then the index or the key of each step into it.
Place = tuple[str | int, ...]
#: The kinds of Python's scalars, each with those whose values a parameter of it takes as well.
WIDER = {"float": {"int"}, "int": {"bool"}, "complex": {"int", "float"}}
#: What parameters are called that hold random keys.
KEY_NAMES = ("key", "rng", "prng", "seed_key", "subkey")


class Kind:
    """What is agreed on of one object."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Open(Kind):
    """Nothing: the calls disagree, or nothing was looked at."""


@dataclass(frozen=True, slots=True)
class Plain(Kind):
    """None, or a bool, int, float, complex or str."""

    name: str


@dataclass(frozen=True, slots=True)
class Arrays(Kind):
    """Arrays. `known` describes all of them; `place` is None where the sizes were not followed.

    `library` is "jax", "numpy" or "both"; `scalars` are the kinds of Python's scalars that were seen in the same place, or
    that the weak type of an array without dims shows.
    """

    known: AbstractArray
    place: Place | None = None
    library: str = "jax"
    scalars: tuple[str, ...] = ()

    @property
    def rank(self) -> int | None:
        """The number of dims, if it is always the same."""
        return None if self.known.shape is None else len(self.known.shape)


@dataclass(frozen=True, slots=True)
class Key(Kind):
    """A random key, or several."""


@dataclass(frozen=True, slots=True)
class Tuple(Kind):
    """A tuple with these items."""

    items: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class Sequence_(Kind):
    """A list or a tuple (`kind`) of any length."""

    kind: str
    item: Kind


@dataclass(frozen=True, slots=True)
class Record(Kind):
    """A dict with the same keys in all calls, all strings."""

    keys: tuple[str, ...]
    items: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class Table(Kind):
    """A dict whose keys differ."""

    key: str
    item: Kind


@dataclass(frozen=True, slots=True)
class Instance(Kind):
    """An object of the class of this module and qualified name."""

    type: str


@dataclass(frozen=True, slots=True)
class Function(Kind):
    """Something that is called."""


@dataclass(frozen=True, slots=True)
class DType(Kind):
    """A dtype, a class that stands for one, or the name of one."""


@dataclass(frozen=True, slots=True)
class Optional(Kind):
    """That, or None."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class Agreement:
    """What the calls of a function agree on.

    Attributes:
        calls: those that ended.
        kinds: by the name of the parameter, and `RETURN`.
        sizes: by place, the size of each axis in each of the calls; None where that call has no such array. A Python int
            has one, which is its value.
    """

    calls: tuple[Call, ...]
    kinds: Mapping[str, Kind]
    sizes: Mapping[Place, tuple[tuple[int | None, ...], ...]] = field(default_factory=dict)


def agree(calls: Mapping[Call, int], raw_keys: bool = False) -> Agreement:
    """What all of `calls` agree on; `raw_keys`, if arrays of two uint32 are random keys."""
    ended = tuple(sorted((call for call in calls if call.returned is not None), key=lambda c: -calls[c]))
    got = ended or tuple(calls)
    names = {name: None for call in got for name, _ in call.arguments}
    kinds: dict[str, Kind] = {}
    for name in names:
        values = [dict(call.arguments).get(name) for call in got]
        kinds[name] = _Agreeing(raw_keys or is_key_name(name)).kind(values, (name,))
    kinds[RETURN] = _Agreeing(raw_keys).kind([call.returned for call in ended], (RETURN,))
    return Agreement(got, kinds, _sizes(got))


def agreed(values: Sequence[Observed | None], name: str, raw_keys: bool = False) -> Kind:
    """What values have in common that something of this name held; nothing of their sizes."""
    return _Agreeing(raw_keys or is_key_name(name)).kind(values, None)


def is_key_name(name: str) -> bool:
    """Whether a parameter of this name holds random keys by custom."""
    return name.rstrip("s0123456789_") in KEY_NAMES or name.endswith(("_key", "_rng", "_keys"))


class _Agreeing:
    def __init__(self, raw_keys: bool) -> None:
        self._raw_keys = raw_keys

    def kind(self, values: Sequence[Observed | None], place: Place | None) -> Kind:
        """What `values` have in common, which were seen at one place."""
        distinct = list(dict.fromkeys(values))
        if not distinct or any(value is None or isinstance(value, observed.Cut) for value in distinct):
            return Open()
        rest = [value for value in distinct if not _is_none(value)]
        if not rest:
            return Plain("None")
        kind = self._of_one_class([value for value in rest if value is not None], place)
        return kind if len(rest) == len(distinct) or isinstance(kind, Open) else Optional(kind)

    def _of_one_class(self, values: Sequence[Observed], place: Place | None) -> Kind:
        arrays = [value for value in values if isinstance(value, observed.Array)]
        scalars = [value for value in values if isinstance(value, observed.Scalar)]
        if arrays and len(arrays) + len(scalars) == len(values):
            return self._arrays(arrays, scalars, place)
        if len(scalars) == len(values):
            return _scalars(scalars)
        dtypes = [value for value in values if isinstance(value, observed.Object) and value.type == DTYPE]
        if dtypes and all(value in dtypes or value == observed.Scalar("str") for value in values):
            return DType()
        classes = {type(value) for value in values}
        if classes == {observed.Items}:
            return self._items([value for value in values if isinstance(value, observed.Items)], place)
        if classes == {observed.Dict}:
            return self._dicts([value for value in values if isinstance(value, observed.Dict)], place)
        if classes == {observed.Object}:
            return _objects([value for value in values if isinstance(value, observed.Object)])
        return Open()

    def _arrays(
        self,
        arrays: Sequence[observed.Array],
        scalars: Sequence[observed.Scalar],
        place: Place | None,
    ) -> Kind:
        if all(self._is_key(array) for array in arrays):
            return Open() if scalars else Key()
        libraries = {array.library for array in arrays}
        kinds = {scalar.kind for scalar in scalars}
        if place is not None and len(place) == 1 and place[0] != RETURN:
            kinds |= {_scalar_of(array) for array in arrays if array.weak and not array.dims}
        if "str" in kinds:
            return Open()
        known = join_all(array.known for array in arrays)
        return Arrays(
            known,
            place=place if known.shape is not None else None,
            library=libraries.pop() if len(libraries) == 1 else "both",
            scalars=tuple(sorted(kinds)),
        )

    def _is_key(self, array: observed.Array) -> bool:
        if array.dtype.startswith("key<"):
            return True
        is_raw = array.dtype == "uint32" and array.dims[-1:] in ((2,), (4,))
        return is_raw and self._raw_keys

    def _items(self, values: Sequence[observed.Items], place: Place | None) -> Kind:
        types, kinds = {value.type for value in values}, {value.kind for value in values}
        if len(types) > 1 or len(kinds) > 1:
            return Open()
        type_, kind = types.pop(), kinds.pop()
        if type_ is not None:
            return Instance(type_)
        if kind == "tuple" and len({len(value.items) for value in values}) == 1:
            items = zip(*(value.items for value in values), strict=True)
            return Tuple(
                tuple(
                    self.kind(item, None if place is None else (*place, at)) for at, item in enumerate(items)
                )
            )
        return Sequence_(kind, self.kind([item for value in values for item in value.items], None))

    def _dicts(self, values: Sequence[observed.Dict], place: Place | None) -> Kind:
        types = {value.type for value in values}
        if len(types) > 1:
            return Open()
        if (type_ := types.pop()) is not None:
            return Instance(type_)
        keys = {value.keys for value in values}
        classes = {type(key) for each in keys for key in each}
        if len({frozenset(each) for each in keys}) == 1 and classes == {str}:
            names = tuple(str(key) for key in values[0].keys)
            tables = [dict(zip(value.keys, value.items, strict=True)) for value in values]
            return Record(
                names,
                tuple(
                    self.kind([table[name] for table in tables], None if place is None else (*place, name))
                    for name in names
                ),
            )
        if len(classes) != 1:
            return Open()
        item = self.kind([item for value in values for item in value.items], None)
        return Table(classes.pop().__name__, item)


def _is_none(value: Observed | None) -> bool:
    return isinstance(value, observed.Scalar) and value.kind in ("None", "NoneType")


def _scalar_of(array: observed.Array) -> str:
    """The kind of Python's scalars that a weak array is made of."""
    letter = array.dtype[0]
    return {"i": "int", "f": "float", "c": "complex", "b": "bool"}.get(letter, "float")


def _scalars(values: Sequence[observed.Scalar]) -> Kind:
    kinds = {value.kind for value in values}
    for kind in kinds:
        if kinds - {kind} <= WIDER.get(kind, set()):
            return Plain(kind)
    return Open()


def _objects(values: Sequence[observed.Object]) -> Kind:
    if all(value.called for value in values):
        return Function()
    types = {value.type for value in values}
    return Instance(types.pop()) if len(types) == 1 and not values[0].called else Open()


def inside(kind: Kind) -> Iterator[Kind]:
    """A description and all in it, outermost first."""
    yield kind
    match kind:
        case Tuple(items) | Record(_, items):
            for item in items:
                yield from inside(item)
        case Sequence_(_, item) | Table(_, item) | Optional(item):
            yield from inside(item)


def steps(value: Observed) -> Iterator[tuple[str | int, Observed]]:
    """What is in what was seen, each with the step that leads there."""
    match value:
        case observed.Items(items=items):
            yield from enumerate(items)
        case observed.Dict(keys=keys, items=items):
            yield from zip(keys, items, strict=True)
        case observed.Object(names=names, fields=fields):
            yield from zip(names, fields, strict=True)


def places(value: Observed, place: Place) -> Iterator[tuple[Place, tuple[int | None, ...]]]:
    """The arrays and the ints in what was seen at a place, with their sizes."""
    match value:
        case observed.Array(dims=dims):
            yield place, dims
        case observed.Scalar("int", int(size)) if size > 0:
            yield place, (size,)
    for step, item in steps(value):
        yield from places(item, (*place, step))


def _sizes(calls: Sequence[Call]) -> dict[Place, tuple[tuple[int | None, ...], ...]]:
    """By place, the sizes of each axis in each call; not of places where ranks differ."""
    tables = [dict(_call_places(call)) for call in calls]
    sizes: dict[Place, tuple[tuple[int | None, ...], ...]] = {}
    for place in {place: None for table in tables for place in table}:
        ranks = {len(table[place]) for table in tables if place in table}
        if len(ranks) == 1:
            rank = ranks.pop()
            rows = [table.get(place, (None,) * rank) for table in tables]
            sizes[place] = tuple(zip(*rows, strict=True))
    return sizes


def _call_places(call: Call) -> Iterator[tuple[Place, tuple[int | None, ...]]]:
    for name, value in call.arguments:
        yield from places(value, (name,))
    if call.returned is not None:
        yield from places(call.returned, (RETURN,))
