"""`assume`: what a caller may pass for an annotation, as data of the domain.

Where sizes come from is the caller's choice: a `Supply` gives each name a symbol, or a number of a sample. An annotation that
says nothing of weak types is taken for one of strong types, as type checkers take it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from jaxtyping_core._annotations.elements import KEYS, ElementTest
from jaxtyping_core.domain import dtypes
from jaxtyping_core.domain.arrays import AbstractArray
from jaxtyping_core.domain.dtypes import DtypeSet
from jaxtyping_core.dtypes import DTYPES

from .axes import Axis
from .binding import Environment, Excluded, Shape, Size, broadcast
from .forms import (
    ArrayForm,
    Constants,
    Dict,
    Form,
    Function,
    Items,
    Object,
    Parameter,
    Scalar,
    Sequence,
    Signature,
    Union,
)
from .values import OPEN, OneOf


@dataclass(frozen=True, slots=True)
class Number:
    """A Python number of a type; with `size`, the int that is this size."""

    kind: type
    size: Size = None


@dataclass(frozen=True, slots=True)
class Several:
    """A list or a tuple (`kind`) of any number of items, which are all like this one."""

    kind: type
    item: Any


@dataclass(frozen=True, slots=True)
class Mapped:
    """A dict of any keys of a type, whose items are all like this one."""

    key: type
    item: Any


@dataclass(frozen=True, slots=True)
class Instance:
    """An object of a class, with what its fields hold."""

    type: type
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class OfLibrary:
    """An array of another library than JAX: the `library` of `ArrayForm`."""

    library: str
    array: AbstractArray


@dataclass(frozen=True, slots=True)
class Callee:
    """A function that is as `form` declares; `dims` knows what the names in it stand for."""

    form: Function
    dims: Environment


class Supply(Protocol):
    """Gives sizes to what annotations leave open."""

    def of(self, name: str, allowed: frozenset[int] | None = None) -> Size:
        """The size of a name, one of those that are `allowed`: the same whenever it is asked."""

    def unnamed(self, allowed: frozenset[int] | None = None) -> Size:
        """A size that has no name."""

    def or_one(self, shape: Shape) -> Shape:
        """The sizes of axes each of which may be 1 instead."""
        ...

    def count(self, axis: Axis, path: str) -> int | None:
        """For how many axes a variadic one stands; None for any number."""


class Symbols:
    """Gives each name itself, which stands for every size, but for those that are `taken`: they stand for another one.

    `rank` is for how many axes a variadic one stands.
    """

    def __init__(self, rank: int | None = None, taken: Container[str] = ()) -> None:
        self._rank, self._taken = rank, taken

    def of(self, name: str, allowed: frozenset[int] | None = None) -> Size:
        """The name, or the only size that it may have."""
        if allowed is not None and len(allowed) == 1:
            return next(iter(allowed))
        return name if name.isidentifier() and name not in self._taken else None

    def unnamed(self, allowed: frozenset[int] | None = None) -> Size:
        """The only size that is allowed; None, which is any, if there are others."""
        return next(iter(allowed)) if allowed is not None and len(allowed) == 1 else None

    def or_one(self, shape: Shape) -> Shape:
        """Any sizes."""
        return (None,) * len(shape)

    def count(self, axis: Axis, path: str) -> int | None:
        """The number of axes; None for any."""
        return self._rank


def assume(signature: Signature, supply: Supply, dims: Environment) -> dict[str, Any]:
    """What a caller may pass for the parameters of a function; `dims` then knows what the names stand for.

    Parameters with defaults are not in it: a caller may leave them out.
    """
    parameters = [each for each in signature.parameters if not each.has_default and not each.stars]
    made = {each.name: assume_form(each.form, supply, dims, each.name) for each in in_order(parameters)}
    return {each.name: made[each.name] for each in parameters}


def assume_form(form: Form, supply: Supply, dims: Environment, path: str = "") -> Any:
    """What a caller may pass for one annotation, at a `path` in the arguments; `OPEN` if nothing is known of it."""
    match form:
        case ArrayForm():
            array = assume_array(form, supply, dims, path)
            return array if form.library == "jax" else OfLibrary(form.library, array)
        case Scalar(kind, size):
            return Number(kind, None if size is None else dims.bind(size, supply.of(size)))
        case Constants(values):
            return values[0] if len(values) == 1 else OneOf(values)
        case Union(choices):
            # The names of a choice stand for sizes only if it is the one that is passed.
            return OneOf(tuple(assume_form(choice, supply, dims.copy(), path) for choice in choices))
        case Items(items):
            return tuple(assume_form(item, supply, dims, f"{path}[{i}]") for i, item in enumerate(items))
        case Sequence(kind, item):
            return Several(kind, assume_form(item, supply, dims, path))
        case Dict(key, item):
            return Mapped(key, assume_form(item, supply, dims, path))
        case Function(returned=returned) if returned is not None:
            return Callee(form, dims)
        case Object(fields=fields) if fields is not None:
            held = {
                field.name: assume_form(field.form, supply, dims, f"{path}.{field.name}") for field in fields
            }
            return Instance(form.type, held)
    return OPEN


def assume_array(form: ArrayForm, supply: Supply, dims: Environment, path: str = "") -> AbstractArray:
    """The arrays that an annotation allows."""
    shape = None if form.axes is None else shape_of(form.axes, supply, dims, path)
    weak = form.axes is not None and bool(form.elements) and all(test.weak for test in form.elements)
    if form.key:
        return AbstractArray(KEYS, False, shape)
    if form.axes is None:
        return AbstractArray(None, None, shape)
    return AbstractArray(dtypes_of(form.elements), weak, shape)


def dtypes_of(elements: Iterable[ElementTest]) -> DtypeSet:
    """The dtypes that one of some tests accepts."""
    names = [test.names for test in elements]
    known = [each for each in names if each is not None]
    if len(known) < len(names):
        return None
    return dtypes.closed(
        frozenset().union(*known) & frozenset(DTYPES)
    )  # "bool_" is NumPy's name for one of them


def shape_of(axes: Iterable[Axis], supply: Supply, dims: Environment, path: str = "") -> Shape | None:
    """The sizes of axes; None if their number is open.

    Raises:
        Excluded: a size would be less than 0.
    """
    shape: list[Size] = []
    is_open = False
    for axis in axes:
        sizes = _several(axis, supply, dims, path) if axis.variadic else (_size(axis, supply, dims, path),)
        is_open |= sizes is None
        shape.extend(sizes or ())
    return None if is_open else tuple(shape)


def _size(axis: Axis, supply: Supply, dims: Environment, path: str) -> Size:
    if axis.formula is not None:
        for name in axis.symbols:
            dims.bind(name, supply.of(name))
        size = dims.value(axis.formula)
        size = supply.unnamed() if size is None else size
        if type(size) is int and size < 0:
            raise Excluded(f"{axis.text} is less than 0")
    elif axis.name is not None:
        key = dims.key(axis) or f"{axis.name} of {path}"
        size = dims.bind(key, supply.of(key, axis.sizes))
    else:
        size = supply.unnamed(axis.sizes)
    return supply.or_one((size,))[0] if axis.broadcastable else size


def _several(axis: Axis, supply: Supply, dims: Environment, path: str) -> Shape | None:
    count = supply.count(axis, path)
    if count is None:
        return None
    if axis.name is None:
        return tuple(supply.unnamed() for _ in range(count))
    key = dims.key(axis) or f"{axis.name} of {path}"
    full = tuple(supply.of(f"{key}_{i}") for i in range(count))
    shape = supply.or_one(full) if axis.broadcastable else full
    earlier = dims.several.get(key, (True, shape))[1]
    dims.several[key] = (axis.broadcastable, broadcast(earlier, shape) or full)
    return shape


def in_order(parameters: Iterable[Parameter]) -> list[Parameter]:
    """Numbers first, of which sizes may be expressions; then what has a size without computing."""
    return sorted(parameters, key=lambda each: (not isinstance(each.form, Scalar), _is_computed(each.form)))


def _is_computed(form: Form) -> bool:
    return isinstance(form, ArrayForm) and any(axis.formula for axis in form.axes or ())
