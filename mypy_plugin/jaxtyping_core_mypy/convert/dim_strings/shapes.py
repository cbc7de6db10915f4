"""Shapes of which a text says the dims.

Where no function is near, as in ``Batch = Float[Array, "b n"]``, a dim stays a literal text: mypy keeps it in its cache, and
whatever uses the name gives the dims their meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

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
    UnionType,
    UnpackType,
    get_proper_type,
)

from jaxtyping_core.contracts.axes import Axis, is_of_parameters
from jaxtyping_core.contracts.dim_strings import parse
from jaxtyping_core.domain.formulas import normal
from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert.abstract import is_array


@dataclass(frozen=True)
class Scope:
    """What dims mean at a place in a program."""

    #: mypy's semantic analyzer.
    api: Any
    #: Finds the type variable of a dim, None where it may have any size; None where dims stay texts.
    find: Callable[[str], Type | None] | None
    #: Whether arithmetic is followed: a parameter's must not be, for a call passes a number.
    arithmetic: bool = True
    #: Whether only the very same type fits, so that nothing is said.
    is_open: bool = False

    def of(self, class_name: str, args: Iterable[Type] = ()) -> Instance:
        """The type of a class."""
        return Instance(self.api.named_type(class_name).type, list(args))


def dims_of(axes: Iterable[Axis], scope: Scope) -> Type:
    """The shape that some axes are."""
    return TupleType([_item(axis, scope) for axis in axes], scope.of("builtins.tuple", [_any()]))


def contains_texts(typ: Type) -> bool:
    """Whether there is an array in a type whose dims are literal texts."""
    return any(True for _ in _shapes_of_texts(typ, stated=False))


def texts_in(typ: Type) -> list[Axis]:
    """The dims in a type that are literal texts and say something of its arrays, as axes."""
    return [
        axis
        for shape in _shapes_of_texts(typ, stated=True)
        for axis in map(axis_of_text, shape.items)
        if axis is not None
    ]


def axis_of_text(item: Type) -> Axis | None:
    """The axis that a literal text in a shape is."""
    match get_proper_type(item):
        case UnpackType(type=Instance(args=(LiteralType(value=str() as name),))):
            return Axis(name=name, variadic=True, text=f"*{name}")
        case LiteralType(value=str() as text):
            return parse(text.replace(" ", ""))[0]  # a normal form has spaces
    return None


def with_dims(typ: Type, scope: Scope) -> Type:
    """A type whose dims are literal texts, with what they stand for."""
    match typ:
        case TypeAliasType():
            return with_dims(get_proper_type(typ), scope)
        case Instance(type=info, args=(dtype, shape)) if info.fullname == names.ARRAY:
            proper = get_proper_type(shape)
            if not isinstance(proper, TupleType) or not _has_texts(proper):
                return typ
            if scope.is_open:
                return typ.copy_modified(args=[_any(), _any()])
            axes = [axis_of_text(item) for item in proper.items]
            items = [
                item if axis is None else _item(axis, scope)
                for item, axis in zip(proper.items, axes, strict=True)
            ]
            return typ.copy_modified(args=[dtype, proper.copy_modified(items=items)])
        case UnionType():
            inner = replace(scope, is_open=scope.is_open or _is_one_of_several(typ))
            return UnionType([with_dims(item, inner) for item in typ.items])
        case CallableType():
            inner = replace(scope, is_open=True)
            args = [with_dims(arg, inner) for arg in typ.arg_types]
            return typ.copy_modified(arg_types=args, ret_type=with_dims(typ.ret_type, inner))
        case TupleType():
            return typ.copy_modified(items=[with_dims(item, scope) for item in typ.items])
        case Instance() if typ.args:
            is_open = scope.is_open or typ.type.fullname not in names.COVARIANT
            return typ.copy_modified(
                args=[with_dims(arg, replace(scope, is_open=is_open)) for arg in typ.args]
            )
    return typ


def _item(axis: Axis, scope: Scope) -> Type:
    """One part of a shape."""
    if axis.broadcastable or axis.by_leaf:
        return _several(scope) if axis.variadic else _any()
    if axis.size is not None:
        return LiteralType(axis.size, scope.of("builtins.int")) if axis.size >= 0 else _any()
    if scope.find is None:
        of_values = axis.by_value if axis.by_value and is_of_parameters(axis.by_value) else None
        said = axis.name or axis.expression or of_values
        item: Type = _any() if said is None else LiteralType(said, scope.of("builtins.int"))
        return _several(scope, item) if axis.variadic else item
    variable = None if axis.name is None else scope.find(axis.name)
    if axis.variadic:
        return UnpackType(variable) if isinstance(variable, TypeVarTupleType) else _several(scope)
    if axis.expression is not None and scope.arithmetic:
        is_known = all(isinstance(scope.find(name), TypeVarType) for name in axis.symbols)
        return LiteralType(normal(axis.expression), scope.of("builtins.int")) if is_known else _any()
    return variable if isinstance(variable, TypeVarType) else _any()


def _several(scope: Scope, item: Type | None = None) -> Type:
    """Any number of dims."""
    return UnpackType(scope.of("builtins.tuple", [item or _any()]))


def _shapes_of_texts(typ: Type, *, stated: bool, depth: int = 0) -> Iterator[TupleType]:
    """The shapes in a type that have literal texts; `stated`, only where something is said of the arrays."""
    if isinstance(typ, TypeAliasType):
        typ = AnyType(TypeOfAny.special_form) if typ.is_recursive else get_proper_type(typ)
    if depth > names.DEEPEST_TYPE:
        return
    parts: Sequence[Type] = ()
    is_open = False
    match typ:
        case TupleType() if _has_texts(typ):
            yield typ
        case TupleType(items=items):
            parts = items
        case UnionType(items=items):
            parts, is_open = items, _is_one_of_several(typ)
        case CallableType():
            parts, is_open = [*typ.arg_types, typ.ret_type], True
        case Instance(args=args):
            parts, is_open = args, not is_array(typ) and typ.type.fullname not in names.COVARIANT
    if not (stated and is_open):
        for part in parts:
            yield from _shapes_of_texts(part, stated=stated, depth=depth + 1)


def _is_one_of_several(typ: UnionType) -> bool:
    """Whether a union has several arrays; a body finds out which it has: ``if labels.ndim == 1``."""
    return sum(map(is_array, typ.items)) > 1


def _has_texts(shape: Type) -> bool:
    return isinstance(shape, TupleType) and any(axis_of_text(item) is not None for item in shape.items)


def _any() -> AnyType:
    return AnyType(TypeOfAny.special_form)
