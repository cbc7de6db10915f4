"""Types of one call that a signature allows: sizes for its dims, and a dtype for each kind of dtypes."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from mypy.nodes import ARG_NAMED, ARG_POS, ARG_STAR, FuncDef, TypeInfo
from mypy.type_visitor import TypeQuery, TypeTranslator
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    LiteralType,
    TupleType,
    Type,
    TypeAliasType,
    TypeOfAny,
    TypeVarType,
    UnionType,
    get_proper_type,
)

from jaxtyping_core.contracts.assuming import KEYS, assume_array
from jaxtyping_core.contracts.axes import VALUE, Axis
from jaxtyping_core.contracts.binding import Environment, Excluded
from jaxtyping_core.contracts.forms import ArrayForm
from jaxtyping_core.domain.arrays import AbstractArray
from jaxtyping_core.domain.dtypes import class_of
from jaxtyping_core.dtypes import DTYPES
from jaxtyping_core.sampling.tables.dtypes import DTYPES_OF_CLASS
from jaxtyping_core.sampling.tables.sizes import BodySample
from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert.abstract import Lookup, is_array
from jaxtyping_core_mypy.convert.forms import array_form


class Parameter(NamedTuple):
    """A parameter that a call must give."""

    name: str
    typ: Type
    is_keyword: bool
    is_starred: bool


class Signature(NamedTuple):
    """What a function declares. Of `values`, which are ints, annotations say that they are sizes (``{width}``)."""

    parameters: list[Parameter]
    result: Type
    #: The class of which a method's first parameter is an object, or which it is.
    of_class: TypeInfo | None
    values: frozenset[str]


def signature_of(function: FuncDef, declared: CallableType | None) -> Signature | None:
    """What a function declares of arrays, of its type `declared`; None where nothing can be learnt from its body.

    Parameters with defaults are left out, as are those of calls that leave them out.
    """
    if declared is None or function.is_generator or function.is_coroutine:
        return None
    if not _says_something(declared.ret_type) or not any(map(_has_shape, declared.arg_types)):
        return None
    parameters = [
        Parameter(name or "", typ, kind == ARG_NAMED, kind == ARG_STAR)
        for name, typ, kind in zip(declared.arg_names, declared.arg_types, declared.arg_kinds, strict=True)
        if kind in (ARG_POS, ARG_NAMED, ARG_STAR)
    ]
    of_class = (function.info or None) if not function.is_static else None
    named = {name for text in _texts(declared) for name in VALUE.findall(text)}
    ints = {each.name for each in parameters if not each.is_starred and _is_int(each.typ)}
    return Signature(parameters, declared.ret_type, of_class, frozenset(named & ints))


def class_of_object(typ: Type) -> TypeInfo | None:
    """The class of an object whose fields say what it is."""
    proper = get_proper_type(typ)
    if isinstance(proper, TupleType):
        proper = proper.partial_fallback
    if not isinstance(proper, Instance) or proper.type.is_protocol or proper.type.is_enum:
        return None
    return proper.type


class Example(TypeTranslator):
    """What the types of a signature are in one call: a supply of the sizes of a draw.

    Args:
        draw: what the call gives.
        lookup: finds a class.
        exchanged: names in fields, with those that stand for them.
    """

    def __init__(self, draw: BodySample, lookup: Lookup, exchanged: Mapping[str, str]) -> None:
        super().__init__()
        self._draw = draw
        self._exchanged = exchanged
        self._sizes = itertools.chain(draw.sizes, itertools.count(1003, 8))
        self._lookup = lookup
        self._is_field = False
        #: The sizes of the dims that have been met, by their names.
        self._dims: dict[str, int] = {}
        #: What the names of the arguments stand for, and those in the fields of their classes, whose names are their own.
        self.environment = Environment()
        self._of_fields = Environment()

    def value(self, name: str) -> int:
        """The value of a parameter that annotations name."""
        known = self.environment.arguments
        value: int = known.setdefault(name, self._draw.value * (len(known) + 1))
        return value

    def exchanges(self) -> list[Mapping[str, str]]:
        """Other readings of the names in fields: each that no argument has, in the place of one that arguments have as well.

        The names of a class are its own: a function may have another name for a dim, and another dim of that name.
        """
        of_fields, bound = (
            each.sizes.keys() | each.several.keys() for each in (self._of_fields, self.environment)
        )
        pairs = itertools.product(sorted(of_fields - bound), sorted(of_fields & bound))
        return [{a: b, b: a} for a, b in pairs]

    def argument(self, typ: Type) -> Type:
        """The type of an argument."""
        return typ.accept(self)

    def field(self, typ: Type) -> Type:
        """The type of a field of an argument, or of a method's object."""
        self._is_field = True
        self._of_fields.arguments = self.environment.arguments
        made = typ.accept(self)
        self._is_field = False
        return made

    def visit_instance(self, t: Instance) -> Type:
        if not is_array(t) or len(t.args) != 2:
            return super().visit_instance(t)
        form = self._exchange(array_form(t))
        dims = self._of_fields if self._is_field else self.environment
        if form.axes is None or (self._is_field and any(map(self._is_open, form.axes))):
            return t.copy_modified(args=[_any(), _any()])
        try:
            array = assume_array(form, self, dims)
        except Excluded:
            return t.copy_modified(args=[_any(), _any()])
        if self._is_field:
            self._bind_variables(t.args[1])
        return t.copy_modified(args=[self._dtype(array, t.args[0]), self._shape(array, t.args[1])])

    def visit_type_alias_type(self, t: TypeAliasType) -> Type:
        return _any() if t.is_recursive else get_proper_type(t).accept(self)

    def visit_type_var(self, t: TypeVarType) -> Type:
        return _any()

    def _exchange(self, form: ArrayForm) -> ArrayForm:
        """An array in a field with the names that stand for those of its class."""
        if not self._is_field or not self._exchanged or form.axes is None:
            return form
        return replace(form, axes=tuple(axis.renamed(self._exchanged) for axis in form.axes))

    def _is_open(self, axis: Axis) -> bool:
        """Whether a field has several dims (``*envs``) that no parameter names: methods may be for objects without them."""
        return axis.variadic and axis.name is not None and axis.name not in self.environment.several

    def _bind_variables(self, shape: Type) -> None:
        """Type variables of a class are the same ones in its fields and methods; names in texts may be others."""
        proper = get_proper_type(shape)
        for item in map(get_proper_type, proper.items if isinstance(proper, TupleType) else ()):
            if isinstance(item, TypeVarType):
                self.environment.bind(item.name, self._of_fields.sizes[item.name])

    def _dtype(self, array: AbstractArray, typ: Type) -> Type:
        """The dtype of this call, of those that are declared."""
        if array.weak or array.dtype is not None or array.dtypes == KEYS:
            proper = get_proper_type(typ)
            if isinstance(proper, TypeVarType):
                return proper.values[0] if proper.values else proper.upper_bound
            return proper
        kind = "generic" if array.dtypes is None else class_of(array.dtypes)
        drawn = DTYPES_OF_CLASS[kind] if kind is not None else _class_names(array.dtypes or ())
        name = drawn[self._draw.dtype % len(drawn)]
        return Instance(self._lookup(f"{names.SCALAR_TYPES}.{name}"), [])

    def _shape(self, array: AbstractArray, shape: Type) -> Type:
        proper = get_proper_type(shape)
        if array.shape is None or not isinstance(proper, TupleType):
            return _any()
        int_class = Instance(self._lookup("builtins.int"), [])
        return proper.copy_modified(
            items=[LiteralType(size, int_class) if type(size) is int else _any() for size in array.shape]
        )

    # What annotations leave open.

    def of(self, name: str, allowed: frozenset[int] | None = None) -> int:
        """The size of a name in this call."""
        if name not in self._dims:
            self._dims[name] = next(self._sizes)
        return self._dims[name]

    def unnamed(self, allowed: frozenset[int] | None = None) -> int | None:
        """The size that a number is; others are not known."""
        return None if allowed is None else min(allowed)

    def or_one(self, shape: tuple[object, ...]) -> tuple[None, ...]:
        """Sizes that may be 1 are not known."""
        return (None,) * len(shape)

    def count(self, axis: Axis, path: str) -> int:
        """For how many axes a variadic one stands in this call."""
        return self._draw.several


def _class_names(dtypes: Iterable[str]) -> tuple[str, ...]:
    return tuple(DTYPES[name].class_name for name in sorted(dtypes))


class _Literals(TypeQuery[list[str]]):
    """The texts in a type."""

    def strategy(self, items: list[list[str]]) -> list[str]:
        return [text for texts in items for text in texts]

    def visit_literal_type(self, t: LiteralType) -> list[str]:
        return [t.value] if isinstance(t.value, str) else []


def _texts(declared: CallableType) -> list[str]:
    return declared.accept(_Literals())


def _is_int(typ: Type) -> bool:
    proper = get_proper_type(typ)
    return isinstance(proper, Instance) and proper.type.fullname == "builtins.int"


def _in_arrays(typ: Type) -> Iterator[list[Type]]:
    """The parameters of each array in a type of a result or a parameter."""
    proper = get_proper_type(typ)
    if isinstance(proper, TupleType):
        for item in proper.items:
            yield from _in_arrays(item)
        return
    options = proper.items if isinstance(proper, UnionType) else [proper]
    for option in map(get_proper_type, options):
        if isinstance(option, Instance) and is_array(option):
            yield [get_proper_type(arg) for arg in option.args]


def _says_something(typ: Type) -> bool:
    """Whether there is an array in what a function declares to return of which something is said."""
    return any(not all(isinstance(arg, AnyType) for arg in args) for args in _in_arrays(typ))


def _has_shape(typ: Type) -> bool:
    """Whether something is said of the shape of an array in a parameter."""
    return any(len(args) == 2 and isinstance(args[1], TupleType) for args in _in_arrays(typ))


def _any() -> AnyType:
    return AnyType(TypeOfAny.special_form)
