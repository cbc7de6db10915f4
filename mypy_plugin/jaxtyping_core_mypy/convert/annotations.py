"""Annotations that mypy reads, made at run time: `jaxtyping_core.typing` knows what is wrong with one, and says so.

What is not known becomes `Any`, which is accepted everywhere.
"""

from __future__ import annotations

import builtins
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import typing_extensions
from mypy.nodes import FuncDef, SymbolTableNode, TypeAlias, TypeInfo, TypeVarExpr, TypeVarTupleExpr
from mypy.plugin import TypeAnalyzerPluginInterface
from mypy.types import (
    AnyType,
    CallableType,
    EllipsisType,
    Instance,
    LiteralType,
    NoneType,
    RawExpressionType,
    TupleType,
    Type,
    TypeAliasType,
    TypeList,
    TypeOfAny,
    TypeVarTupleType,
    TypeVarType,
    UnboundType,
    UnionType,
    UnpackType,
    get_proper_type,
)

from jaxtyping_core._annotations.array import ALIASES, Array, ArrayMeta
from jaxtyping_core._annotations.scalars import CLASSES, PUBLIC_MODULE
from jaxtyping_core._annotations.source import tuple_type
from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert.dtype_annotations import ALIASES as DTYPES

#: An annotation as mypy has parsed it.
Written = UnboundType
#: What names stand for at run time, by the module that mypy finds them in; `_names_of` has NumPy.
MODULES: dict[str, Mapping[str, Any]] = {
    "builtins": vars(builtins),
    "typing": vars(typing),
    "typing_extensions": vars(typing_extensions),
    names.SCALAR_TYPES: CLASSES,
    PUBLIC_MODULE: ALIASES,
}
#: Names that are none of ours: to look them up would import NumPy.
OF_NUMPY = "numpy."
#: Makes a `TypeVarTuple`, which type checkers allow in assignments only.
_VARIADIC: Any = typing.TypeVarTuple
#: What an unknown part of unknown length becomes: it adds no dims.
NOTHING = typing.Unpack[tuple_type(())]


def annotation_of(fullname: str, lookup: Callable[[str], SymbolTableNode | None]) -> ArrayMeta | None:
    """The array annotation that a name stands for: the class, an alias of ours, or a generic one of the program's."""
    if fullname.startswith(OF_NUMPY):
        return None
    made = _of_name(fullname)
    if made is Any and not fullname.startswith(names.FOREIGN_TYPES):  # whose stubs name tens of thousands
        symbol = lookup(fullname)
        made = _of_alias(symbol.node) if symbol and isinstance(symbol.node, TypeAlias) else None
    return made if isinstance(made, ArrayMeta) else None


def is_plain(fullname: str) -> bool:
    """Whether a name is known to be that of no array annotation, nor of a dtype, whatever a program defines."""
    if fullname in DTYPES:
        return False
    if fullname.startswith(OF_NUMPY):
        return True
    made = _of_name(fullname)
    of_stubs = made is Any and fullname.startswith(names.FOREIGN_TYPES)
    return (made is not Any or of_stubs) and not isinstance(made, ArrayMeta)


def _of_alias(alias: TypeAlias) -> Any:
    # The run time does not subscript what `type` makes, and the defaults of type variables are not made.
    if (
        not alias.alias_tvars
        or alias.python_3_12_type_alias
        or any(variable.has_default() for variable in alias.alias_tvars)
    ):
        return Any
    return RunTime().made(alias.target)


def without_arguments(written: Written) -> Written:
    """An annotation without what stands in its brackets."""
    return UnboundType(written.name, line=written.line, column=written.column)


def parts(typ: Type) -> Iterator[Type]:
    """A type as it is written, and what is written inside of it."""
    yield typ
    for inside in (*getattr(typ, "args", ()), *getattr(typ, "items", ())):
        yield from parts(inside)


def with_open_dims(typ: Type) -> Type:
    """An array as mypy understood it, where a dim that is `int` is `Any`: neither says more than the other."""
    if isinstance(typ, TypeAliasType):
        return typ.copy_modified(args=list(map(_open, typ.args)))
    return typ.copy_modified(args=list(map(_open, typ.args))) if isinstance(typ, Instance) else typ


def with_open_shape(typ: Type) -> Type:
    """An array of any shape: of a tuple of any length mypy infers no dims, and then asks for annotations."""
    proper = get_proper_type(typ) if isinstance(typ, TypeAliasType) and not typ.is_recursive else typ
    if not isinstance(proper, Instance) or proper.type.fullname not in names.ARRAYS or len(proper.args) != 2:
        return typ
    shape = get_proper_type(proper.args[1])
    if isinstance(shape, Instance) and shape.type.fullname == "builtins.tuple":
        return proper.copy_modified(args=[proper.args[0], AnyType(TypeOfAny.special_form)])
    return typ


def _open(part: Type) -> Type:
    match part:
        case Instance(type=TypeInfo(fullname="builtins.int")):
            return AnyType(TypeOfAny.special_form)
        case Instance(type=TypeInfo(fullname="builtins.tuple")):
            return part.copy_modified(args=list(map(_open, part.args)))
        case TupleType():
            return part.copy_modified(items=list(map(_open, part.items)))
        case UnpackType():
            return UnpackType(_open(part.type))
        case TypeAliasType() if not part.args and isinstance(get_proper_type(part), TupleType):
            return _open(get_proper_type(part))
    return part


class RunTime:
    """Makes the parts of one annotation; without mypy's `api`, of one that mypy has understood."""

    def __init__(self, api: TypeAnalyzerPluginInterface | None = None) -> None:
        self._api: Any = api  # whose class can look up names
        self._variables: dict[str, typing.TypeVar] = {}

    def made(self, typ: Type) -> Any:
        """What Python makes of `typ`."""
        match typ:
            case UnboundType():
                return self._named(typ)
            case RawExpressionType(literal_value=value):
                return Any if value is None else value
            case EllipsisType():
                return ...
            case TypeList(items=items):
                return self._all(items)
            case TupleType(items=items):
                return tuple(self._all(items)) if typ.implicit else tuple_type(self._all(items))
            case UnionType(items=items):
                return _subscripted(typing.Union, self._all(items))
            case UnpackType(type=inner):
                made = self.made(inner)
                return NOTHING if made is Any else typing.Unpack[made]
        if isinstance(typ, TypeAliasType) and typ.is_recursive:
            return Any
        match get_proper_type(typ):
            case NoneType():
                return None
            case LiteralType(value=value) as literal if not literal.is_enum_literal():
                return typing.Literal[value]
            case TypeVarType() as variable:
                return self._variable(variable)
            case TypeVarTupleType(name=name):
                return _VARIADIC(name)
            case Instance(type=info, args=args):
                return _subscripted(_of_name(info.fullname, _stand_in(info)), self._all(args))
        return Any

    def dims_around(self) -> set[Any]:
        """The type variables that are dims in the signatures of the functions that are being read."""
        functions = [*self._api.api.function_stack, self._api.api.statement]
        signatures = [function.unanalyzed_type for function in functions if isinstance(function, FuncDef)]
        annotations = [
            typ
            for signature in signatures
            if isinstance(signature, CallableType)
            for typ in (*signature.arg_types, signature.ret_type)
        ]
        made = [self.made(part) for annotation in annotations for part in parts(annotation)]
        shapes = [array.__args__[1] for array in made if isinstance(array, ArrayMeta) and array.__args__]
        return {variable for shape in shapes for variable in getattr(shape, "__parameters__", ())}

    def _all(self, types: Sequence[Type]) -> list[Any]:
        return list(map(self.made, types))

    def _named(self, typ: UnboundType) -> Any:
        symbol = self._api.lookup_qualified(typ.name, typ, suppress_errors=True)
        match symbol.node if symbol else None:
            case None:
                return Any
            case TypeVarExpr() as variable:
                return self._variable(variable)
            case TypeVarTupleExpr(name=name):
                return _VARIADIC(name)
            case TypeAlias(fullname=fullname, alias_tvars=[], target=target) if _of_name(fullname) is Any:
                return self.made(target)
            case node:
                made = _of_name(node.fullname, _stand_in(node) if isinstance(node, TypeInfo) else Any)
        if made in (typing.Literal, typing_extensions.Literal):
            return self._literal(typ.args)
        return _subscripted(made, self._all(typ.args))

    def _literal(self, args: Sequence[Type]) -> Any:
        values = [arg.original_str_expr if isinstance(arg, UnboundType) else self.made(arg) for arg in args]
        return Any if None in values or Any in values else typing.Literal[tuple(values)]

    def _variable(self, variable: TypeVarExpr | TypeVarType) -> Any:
        if variable.fullname not in self._variables:
            values = self._all(variable.values)
            bound = None if values else self.made(variable.upper_bound)
            made: Any = typing.TypeVar  # which type checkers allow in assignments only
            self._variables[variable.fullname] = made(
                variable.name, *values, bound=None if bound is object else bound
            )
        return self._variables[variable.fullname]


def _of_name(fullname: str, default: Any = Any) -> Any:
    """What a name of a stub is at run time; `default` where that is not known."""
    module, _, name = fullname.rpartition(".")
    return Array if fullname in names.ARRAYS else _names_of(module).get(name, default)


def _names_of(module: str) -> Mapping[str, Any]:
    """What the names of a module stand for at run time, if it is one that annotations are made of."""
    if module == "numpy":
        import numpy as np  # which takes long, and is not needed by most programs

        return vars(np)
    return MODULES.get(module, {})


def _stand_in(info: TypeInfo) -> Any:
    """For a class that is not known: one of its name, or `Any` if it may be a dim or a dtype."""
    bases = {base.fullname for base in info.mro}
    if "builtins.tuple" in bases:
        return tuple
    of_jax = any(
        base.module_name.startswith("jax") for base in info.mro
    )  # where dtypes may have other classes
    if info.fallback_to_any or "builtins.int" in bases or of_jax:
        return Any
    return type(info.name, (), {"__module__": info.module_name})


def _subscripted(item: Any, parameters: list[Any]) -> Any:
    try:
        return item[parameters[0] if len(parameters) == 1 else tuple(parameters)] if parameters else item
    except TypeError:  # of which mypy says what is wrong
        return Any
