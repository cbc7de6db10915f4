"""What a call of a function of the program gives by what the function declares, where the walk of its body does not tell.

The names in the annotations stand for sizes of the call's arguments. Like a type checker, this believes what is declared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...domain.dims import Dim, Shape
from ...sampling.sizes import written
from ..values import arrays
from ..values.unknowns import UNKNOWN, Instance, is_dim
from .assumptions import evaluated, forms_of, made, result_of
from .comparable import contracts

if TYPE_CHECKING:
    from ...domain.arrays import AbstractArray
    from ..machine import Machine
    from ..values.callables import Function


def refined(machine: Machine, function: Function, bound: Mapping[str, Any], value: Any) -> Any:
    """What a call gives of which the walk knows `value`.

    Where errors are reported this is left as it is: what is declared may be wrong.
    """
    if machine.context.is_certain or not _is_open(value):
        return value
    form = result_of(machine, function)
    if form is None:
        return value
    names = contracts("binding").Environment(evaluate=evaluated)
    forms = forms_of(machine, function)
    try:
        fits = [_bind(form, bound.get(name), names) for name, form in forms.items()]
        if False in fits:
            return value
        declared = contracts("assuming").assume_form(form, _Known(names), names, "return")
    except contracts("binding").Excluded:
        return value
    return _both(value, made(declared))


class _Known:
    """Gives sizes to the names that the arguments of a call leave open: none is known."""

    def __init__(self, names: Any) -> None:
        self._several = {key: shape for key, (_, shape) in names.several.items()}
        self._each = {
            f"{key}_{i}": size for key, shape in self._several.items() for i, size in enumerate(shape)
        }

    def of(self, name: str, allowed: frozenset[int] | None = None) -> Dim:
        return self._each[name] if name in self._each else self.unnamed(allowed)

    def unnamed(self, allowed: frozenset[int] | None = None) -> Dim:
        return next(iter(allowed)) if allowed is not None and len(allowed) == 1 else None

    def or_one(self, shape: tuple[Dim, ...]) -> tuple[Dim, ...]:
        return (None,) * len(shape)

    def count(self, axis: Any, path: str) -> int | None:
        return len(self._several[axis.name]) if axis.name in self._several else None


def _is_open(value: Any) -> bool:
    if type(value) is tuple:
        return any(map(_is_open, value))
    if value is UNKNOWN:
        return True
    known = arrays.known_of(value)
    return known is not None and (
        known.dtype is None or known.shape is None or any(map(arrays.is_unknown_size, known.shape))
    )


def _bind(form: Any, value: Any, names: Any) -> bool | None:
    """Have names stand for the sizes of an argument; False if it is not as declared."""
    forms = contracts("forms")
    known = arrays.known_of(value)
    match form:
        case forms.ArrayForm(axes=axes) if axes is not None and known is not None:
            fits: bool | None = names.accepts(axes, _shape(known.shape))
            return fits
        case forms.Items(items=items) if type(value) is tuple and len(value) == len(items):
            each = [_bind(item, part, names) for item, part in zip(items, value, strict=True)]
            return False not in each
        case forms.Object(fields=fields) if fields:
            held = value.fields if isinstance(value, Instance) else arrays.object_fields(value) or {}
            return False not in [_bind(field.form, held.get(field.name), names) for field in fields]
        case forms.Scalar(size=size) if size is not None and (type(value) is int or is_dim(value)):
            names.bind(size, value if type(value) is int else written(value))
    return None


def _shape(dims: Any) -> Shape:
    if dims is None:
        return None
    return tuple(dim if type(dim) is int or dim is None else written(dim) for dim in dims)


def _both(value: Any, declared: Any) -> Any:
    """What the walk knows, and where that is nothing what is declared."""
    if value is UNKNOWN:
        return declared
    if type(value) is type(declared) is tuple and len(value) == len(declared):
        return tuple(map(_both, value, declared))
    known, other = arrays.known_of(value), arrays.known_of(declared)
    if known is None or other is None or not _may_agree(known, other):
        return value
    shape = known.shape
    if shape is None:
        shape = other.shape
    elif other.shape is not None and len(shape) == len(other.shape):
        shape = tuple(b if arrays.is_unknown_size(a) else a for a, b in zip(shape, other.shape, strict=True))
    if known.dtypes is None and other.dtypes is not None:
        known = replace(known, dtypes=other.dtypes, weak=other.weak)
    return arrays.of_known(replace(known, shape=shape))


def _may_agree(known: AbstractArray, declared: AbstractArray) -> bool:
    """Whether one array can be both: of a result that is not as declared, nothing that is declared is believed."""
    if known.dtypes is not None and declared.dtypes is not None and not known.dtypes & declared.dtypes:
        return False
    if known.shape is None or declared.shape is None:
        return True
    each = zip(known.shape, declared.shape, strict=False)
    return len(known.shape) == len(declared.shape) and not any(
        type(a) is type(b) is int and a != b for a, b in each
    )
