"""One dim of a shape: the sizes that it accepts, and the name by which it must equal other dims."""

from __future__ import annotations

import types
import typing
from typing import Any, NamedTuple

from jaxtyping_core._annotations.source import bounds, is_union, is_unpacked, source


class Dim(NamedTuple):
    """What one dim accepts."""

    sizes: frozenset[int] | None = None  # None: every size
    name: Any = None  # dims with one name have one size within an annotation

    def accepts(self, size: Any) -> bool:
        """Whether an axis of `size` (an int, or a symbolic dim of ``jax.export``) fits."""
        return self.sizes is None or size in self.sizes


ANY_SIZE = Dim()

NO_SIZE = "{} is not a dim: a size is an int, 0 or more."

#: Spellings that read well and that a type checker refuses, each with the one that it takes.
_REMEDIES: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (int, "Write Literal[{0}]."),
    ((str, typing.ForwardRef), 'Write a type variable without quotes: B = TypeVar("B", bound=int).'),
    (types.EllipsisType, "Write *tuple[Any, ...] for any number of dims."),
    ((tuple, list), "Write the dims one after the other, or as tuple[B, D] in Array[float32, tuple[B, D]]."),
    (types.NoneType, "Write Any for a dim of any size."),
    (typing.TypeVarTuple, "Write *{0}."),
    (object, "A dim is Literal[3], a type variable, Any or int."),
)


def resolve(item: Any) -> Any:
    """`item` without the aliases (PEP 695) and the metadata (`Annotated`) around it."""
    while True:
        if typing.get_origin(item) is typing.Annotated:
            item = item.__origin__
        elif type(item).__name__ == "TypeAliasType":  # by name: typing has it from Python 3.12 on
            item = item.__value__
        else:
            return item


def compile_dim(item: Any) -> Dim:
    """The dim that the annotation `item` describes.

    Raises:
        TypeError: `item` is no dim to a type checker (a plain int, a string, `...`).
    """
    item = resolve(item)
    if item is Any or item is int:
        return ANY_SIZE
    if typing.get_origin(item) is typing.Literal:
        return Dim(_literal_sizes(item))
    if is_union(item):
        return Dim(_union(typing.get_args(item)))
    if isinstance(item, typing.TypeVar):
        return Dim(_union(bounds(item)), name=item)
    if isinstance(item, typing.NewType):
        return Dim(compile_dim(item.__supertype__).sizes, name=item)
    if isinstance(item, type) and issubclass(item, int) and item is not bool:
        return Dim(name=item)
    if isinstance(item, int) and not _is_size(item):
        raise TypeError(NO_SIZE.format(source(item)))
    raise TypeError(f"{source(item)} is not a dim. {_remedy(item)}")


def _union(items: tuple[Any, ...]) -> frozenset[int] | None:
    parts = [compile_dim(item).sizes for item in items]
    known = [sizes for sizes in parts if sizes is not None]
    return frozenset().union(*known) if len(known) == len(parts) else None


def _literal_sizes(item: Any) -> frozenset[int]:
    sizes = typing.get_args(item)
    if not all(map(_is_size, sizes)):
        raise TypeError(NO_SIZE.format(source(item)))
    return frozenset(sizes)


def _is_size(item: Any) -> bool:
    return type(item) is int and item >= 0


def _remedy(item: Any) -> str:
    if is_unpacked(item):
        return "Unpacked dims belong inside tuple[...] or an alias such as Float32[...]."
    if typing.get_origin(item) is tuple:
        return f"Write *{source(item)} to put its dims here."
    return next(text for kind, text in _REMEDIES if isinstance(item, kind)).format(item)
