"""The shape parameter of an array: a tuple type, compiled to what it accepts.

A shape is `tuple[B, Literal[3]]`, with at most one part of unknown length anywhere in it (PEP 646):
`*Bs`, `*tuple[Any, ...]`, or a whole `tuple[Any, ...]`.
"""

from __future__ import annotations

import typing
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from jaxtyping_core._annotations.sizes import ANY_SIZE, Dim, compile_dim, resolve
from jaxtyping_core._annotations.source import bounds, is_unpacked, source, unpacked


class Variadic(NamedTuple):
    """Any number of dims, each of which fits `dim`."""

    dim: Dim


class ShapePattern(NamedTuple):
    """What a shape parameter accepts: dims, then any number of `middle`, then dims."""

    before: tuple[Dim, ...]
    middle: Dim | None = None  # None: the rank is fixed
    after: tuple[Dim, ...] = ()

    def accepts(self, shape: Sequence[Any]) -> bool:
        """Whether an array of `shape` fits; dims with one name must have one size."""
        dims = self._dims(len(shape))
        named: dict[Any, Any] = {}
        return dims is not None and all(
            dim.accepts(size) and (dim.name is None or named.setdefault(dim.name, size) == size)
            for dim, size in zip(dims, shape, strict=True)
        )

    def _dims(self, rank: int) -> tuple[Dim, ...] | None:
        """The dims for an array of `rank`, or None where there are too many or too few."""
        spare = rank - len(self.before) - len(self.after)
        if self.middle is None:
            return self.before if spare == 0 else None
        return (*self.before, *[self.middle] * spare, *self.after) if spare >= 0 else None

    def covers(self, other: ShapePattern) -> bool:
        """Whether every shape that `other` accepts is accepted here; False where that is not clear."""
        if other in (self, ANY_SHAPE) or self == ANY_SHAPE:
            return self in (other, ANY_SHAPE)
        if self.middle is not None or other.middle is not None or len(self.before) != len(other.before):
            return False
        named: dict[Any, Dim] = {}
        return all(
            _within(theirs, ours)
            and (ours.name is None or _same(named.setdefault(ours.name, theirs), theirs))
            for ours, theirs in zip(self.before, other.before, strict=True)
        )


ANY_SHAPE = ShapePattern((), ANY_SIZE)


def _within(inner: Dim, outer: Dim) -> bool:
    return outer.sizes is None or (inner.sizes is not None and inner.sizes <= outer.sizes)


def _same(dim: Dim, other: Dim) -> bool:
    """Whether two dims have the same size in every shape."""
    return dim == other and (dim.name is not None or (dim.sizes is not None and len(dim.sizes) == 1))


def compile_shape(shape: Any) -> ShapePattern:
    """The pattern that the shape parameter `shape` describes.

    Raises:
        TypeError: `shape` is no tuple type, one of its dims is no dim, or two parts have no fixed length.
    """
    shape = resolve(shape)
    accepted = bounds(shape) if isinstance(shape, typing.TypeVar) else (shape,)
    patterns = [pattern for item in accepted if (pattern := _pattern_of(resolve(item)))]
    if len(patterns) < len(accepted):
        raise no_shape(shape)
    return patterns[0] if len(patterns) == 1 else ANY_SHAPE


def no_shape(shape: Any) -> TypeError:
    """What is raised where something else stands in the place of a shape."""
    return TypeError(f"{source(shape)} is not a shape. {_remedy(shape)}")


def _pattern_of(shape: Any) -> ShapePattern | None:
    """The pattern that a tuple type describes; None for what is no tuple type."""
    if typing.get_origin(shape) is tuple:
        return _pattern(list(_flat(typing.get_args(shape))), shape)
    return ANY_SHAPE if shape is Any or (isinstance(shape, type) and issubclass(shape, tuple)) else None


def _pattern(items: list[Dim | Variadic], shape: Any) -> ShapePattern:
    places = [place for place, item in enumerate(items) if isinstance(item, Variadic)]
    if len(places) > 1:
        raise TypeError(
            f"{source(shape)} has {len(places)} parts of unknown length. A shape has at most one."
        )
    fixed = tuple(item for item in items if isinstance(item, Dim))
    if not places:
        return ShapePattern(fixed)
    (place,) = places
    middle = typing.cast(Variadic, items[place])
    return ShapePattern(fixed[:place], middle.dim, fixed[place:])


def _flat(items: Sequence[Any]) -> Iterator[Dim | Variadic]:
    """The dims among the arguments of a tuple type, with unpacked tuples in their place."""
    if len(items) == 2 and items[1] is ...:
        yield Variadic(compile_dim(items[0])._replace(name=None))
        return
    for item in map(resolve, items):
        yield from _unpack(resolve(unpacked(item))) if is_unpacked(item) else [compile_dim(item)]


def _unpack(item: Any) -> Iterable[Dim | Variadic]:
    if isinstance(item, typing.TypeVarTuple):
        return [Variadic(ANY_SIZE)]
    if typing.get_origin(item) is tuple:
        return _flat(typing.get_args(item))
    raise TypeError(f"*{source(item)} has no dims. Unpack a TypeVarTuple or a tuple type (PEP 646).")


def _remedy(shape: Any) -> str:
    if shape is ... or shape is None:
        return "Leave the shape out, or write tuple[Any, ...] for any number of dims."
    if isinstance(shape, str):
        return "Write a tuple type of type variables without quotes: tuple[B, D]."
    if isinstance(shape, tuple | list) or typing.get_origin(shape) is list:
        dims = [
            f"Literal[{dim}]" if isinstance(dim, int) else source(dim)
            for dim in typing.get_args(shape) or shape
        ]
        return f"Write tuple[{', '.join(dims) or '()'}]."
    try:
        compile_dim(shape)
    except TypeError:
        return "Write a tuple type such as tuple[B, D]."
    return f"Write a tuple type: tuple[{source(shape)}] has one dim."
