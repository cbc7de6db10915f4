"""The shape parameter of `Array` as axes: ``tuple[B, Literal[3]]``, ``tuple[*Bs, D]``."""

from __future__ import annotations

import typing
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jaxtyping_core._annotations.array import Dims
from jaxtyping_core._annotations.shapes import compile_shape
from jaxtyping_core._annotations.sizes import Dim, compile_dim, resolve
from jaxtyping_core._annotations.source import is_unpacked, unpacked

from .axes import ANY_AXES, Axis


def axes_of_shape(shape: Any, variables: Mapping[Any, Any]) -> tuple[Axis, ...]:
    """The axes of a shape parameter of `Array`, with other dims in place of some type variables."""
    shape = resolve(variables.get(shape, shape))
    if typing.get_origin(shape) is not tuple:
        pattern = compile_shape(shape)
        middle = () if pattern.middle is None else (ANY_AXES,)
        return (*map(_of_dim, pattern.before), *middle, *map(_of_dim, pattern.after))
    return tuple(_of_items(typing.get_args(shape), variables))


def _of_items(items: Sequence[Any], variables: Mapping[Any, Any]) -> Iterator[Axis]:
    if len(items) == 2 and items[1] is ...:
        yield ANY_AXES
        return
    for item in items:
        item = resolve(variables.get(item, item))
        if not is_unpacked(item):
            yield _of_dim(compile_dim(item))
            continue
        inside = resolve(unpacked(item))
        inside = variables.get(inside, inside)
        if inside is Dims:  # what ``Float32`` alone stands for, another one each time
            yield ANY_AXES
        elif isinstance(inside, typing.TypeVarTuple):
            yield Axis(name=inside.__name__, variadic=True, text=f"*{inside.__name__}")
        else:
            yield from _of_items(typing.get_args(inside), variables)


def _of_dim(dim: Dim) -> Axis:
    name = None if dim.name is None else dim.name.__name__
    numbers = "|".join(map(str, sorted(dim.sizes or ())))
    return Axis(name=name, sizes=dim.sizes, text=name or numbers or "?")
