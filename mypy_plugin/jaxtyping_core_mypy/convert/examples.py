"""Types of one call that a signature allows: sizes for its dims, and a dtype for each kind of dtypes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
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
    TypeVarTupleType,
    TypeVarType,
    UnpackType,
    get_proper_type,
)

from jaxtyping_core._annotations.arithmetic import NotArithmetic, substituted
from jaxtyping_core.contracts.axes import VALUE
from jaxtyping_core.sampling.tables import DTYPES_OF_CLASS, BodySample
from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert.abstract import Lookup, is_abstract_dtype, is_array
from jaxtyping_core_mypy.convert.comparison import options


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
    """What the types of a signature are in one call.

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
        self._is_result = False
        self._is_field = False
        #: The sizes of the dims that have been met, by their names.
        self.dims: dict[str, tuple[int, ...]] = {}
        #: Those of them that arguments have themselves, and not in the fields of their classes, whose names are their own.
        self._bound: set[str] = set()
        #: The names in those fields.
        self._of_fields: set[str] = set()
        #: The values of the parameters that annotations name, which are to be given.
        self.values: dict[str, int] = {}

    def value(self, name: str) -> int:
        """The value of a parameter that annotations name."""
        return self.values.setdefault(name, self._draw.value * (len(self.values) + 1))

    def exchanges(self) -> list[Mapping[str, str]]:
        """Other readings of the names in fields: each that no argument has, in the place of one that arguments have as well.

        The names of a class are its own: a function may have another name for a dim, and another dim of that name.
        """
        own, shared = self._of_fields - self._bound, self._of_fields & self._bound
        return [{a: b, b: a} for a, b in itertools.product(sorted(own), sorted(shared))]

    def argument(self, typ: Type) -> Type:
        """The type of an argument."""
        return typ.accept(self)

    def field(self, typ: Type) -> Type:
        """The type of a field of an argument, or of a method's object."""
        self._is_field = True
        made = typ.accept(self)
        self._is_field = False
        return made

    def result(self, typ: Type) -> Type:
        """The type that is then declared for the result: a dtype of which the kind is declared stays open."""
        self._is_result = True
        return typ.accept(self)

    def visit_instance(self, t: Instance) -> Type:
        if not is_array(t) or len(t.args) != 2:
            return super().visit_instance(t)
        shape = get_proper_type(t.args[1])
        items: Type = _any()
        if isinstance(shape, TupleType):
            if self._is_open(shape):
                return t.copy_modified(args=[_any(), _any()])
            items = shape.copy_modified(items=[dim for item in shape.items for dim in self._dims(item)])
        return t.copy_modified(args=[self._dtype(t.args[0], isinstance(shape, TupleType)), items])

    def visit_type_alias_type(self, t: TypeAliasType) -> Type:
        return _any() if t.is_recursive else get_proper_type(t).accept(self)

    def visit_type_var(self, t: TypeVarType) -> Type:
        return _any()

    def _is_open(self, shape: TupleType) -> bool:
        """Whether a field has several dims (``*envs``) that no parameter names: methods may be for objects without them."""
        return self._is_field and any(
            isinstance(item.type, Instance)
            and isinstance(text := get_proper_type(item.type.args[0]), LiteralType)
            and text.value not in self.dims
            for item in shape.items
            if isinstance(item, UnpackType)
        )

    def _dtype(self, typ: Type, has_shape: bool) -> Type:
        proper = get_proper_type(typ)
        if isinstance(proper, TypeVarType):
            proper = get_proper_type(proper.values[0] if proper.values else proper.upper_bound)
        if isinstance(proper, AnyType):
            # Of ``Shaped[Array, "n"]`` the dtype may be any; of ``Array`` nobody has said anything.
            return proper if self._is_result or not has_shape else self._of_kind("generic")
        if isinstance(proper, Instance) and is_abstract_dtype(proper.type) and not self._is_result:
            return self._of_kind(proper.type.name)
        return proper

    def _of_kind(self, kind: str) -> Instance:
        dtypes = DTYPES_OF_CLASS[kind]
        return self._class(dtypes[self._draw.dtype % len(dtypes)])

    def _class(self, name: str) -> Instance:
        return Instance(self._lookup(f"{names.SCALAR_TYPES}.{name}"), [])

    def _dims(self, item: Type) -> list[Type]:
        """What stands in a shape for one of its parts: for several dims, several."""
        match get_proper_type(item):
            case TypeVarType(name=name):
                return self._numbers(name, 1)
            case UnpackType(type=TypeVarTupleType(name=name)):
                return self._numbers(name, self._draw.several)
            case LiteralType(value=str() as name) if self._is_named(name):
                return self._numbers(name, 1)
            case UnpackType(type=Instance(args=(LiteralType(value=str() as name),)) as several):
                if self._is_named(name):
                    return self._numbers(name, self._draw.several)
                return [UnpackType(several.copy_modified(args=[_any()]))]
            case UnpackType() if not self._is_result:
                return [_any()] * self._draw.several
            case LiteralType(value=str() as formula):
                return [self._value(formula)]
        return [item]

    def _is_named(self, text: str) -> bool:
        """Whether a text is a name that has a size here: a result has no names of its own, nor those of fields."""
        return text in self._bound if self._is_result else text in self.dims or text.isidentifier()

    def _numbers(self, name: str, axes: int) -> list[Type]:
        return [self._number(size) for size in self._size(name, axes)]

    def _size(self, name: str, axes: int) -> tuple[int, ...]:
        if self._is_field:
            self._of_fields.add(name)
            name = self._exchanged.get(name, name)
        elif not self._is_result:
            self._bound.add(name)
        if name not in self.dims:
            self.dims[name] = tuple(next(self._sizes) for _ in range(axes))
        return self.dims[name]

    def _value(self, formula: str) -> Type:
        named = self.dims.keys() & self._bound if self._is_result else self.dims.keys()
        exchanged = self._exchanged if self._is_field else {}
        known: dict[str, int | str] = {
            exchanged.get(name, name): self.dims[name][0] for name in named if len(self.dims[name]) == 1
        }
        try:
            value = substituted(VALUE.sub(lambda match: f"({self.values[match[1]]})", formula), known)
        except (NotArithmetic, SyntaxError, ArithmeticError, KeyError):  # of what is no size, or not known
            return _any()
        return self._number(int(value)) if value.isdigit() else _any()

    def _number(self, size: int) -> LiteralType:
        return LiteralType(size, Instance(self._lookup("builtins.int"), []))


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
    for option in map(get_proper_type, options(proper)):
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
