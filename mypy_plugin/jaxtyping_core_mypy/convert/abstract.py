"""Arrays, dtypes and sizes, read out of mypy's types."""

from __future__ import annotations

import re
from collections.abc import Callable

from mypy.nodes import TypeInfo
from mypy.type_visitor import TypeQuery
from mypy.types import (
    AnyType,
    FunctionLike,
    Instance,
    LiteralType,
    TupleType,
    Type,
    TypeType,
    TypeVarType,
    UnionType,
    UnpackType,
    get_proper_type,
)

from jaxtyping_core.domain.dims import Dim
from jaxtyping_core.domain.merging import merge_arrays
from jaxtyping_core.domain.values import Array
from jaxtyping_core.dtypes import ABSTRACT, DTYPES, WEAK, default_dtype
from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert.equality import EqualDims

#: Finds a class by its full name.
Lookup = Callable[[str], TypeInfo]
SYMBOL = re.compile(r"[A-Za-z_]\w*", re.ASCII)
#: Names that mean something in JAX's symbolic expressions.
RESERVED = frozenset({"max", "min", "mod", "floordiv", "non_negative"})
CLASS_NAMES = {row.class_name: row.name for row in DTYPES.values()}


class Symbols:
    """The type variables met as dims, under the names that stand for them in symbolic expressions.

    Args:
        equal: the dims that are open in some lines.
        line: the line that all this is about.
    """

    def __init__(self, equal: EqualDims | None = None, line: int = 0) -> None:
        self._by_name: dict[str, TypeVarType] = {}
        self._equal = EqualDims() if equal is None else equal
        self._line = line

    def of_formula(self, text: str) -> Dim:
        """A symbolic expression; None if it has open dims in it."""
        return None if self._equal.are_in(text, self._line) else text

    def name(self, variable: TypeVarType) -> Dim:
        """The name of a dim; None for one that is left open."""
        if self._equal.has(variable, self._line):
            return None
        base = variable.name if SYMBOL.fullmatch(variable.name) else "dim"
        name, n = base, 1
        while name in RESERVED or self._by_name.get(name, variable).id != variable.id:
            n += 1
            name = f"{base}_{n}"
        self._by_name[name] = variable
        return name

    def meet(self, function: Type) -> None:
        """The dims that a function has in what it declares are known from now on."""
        for variable in type_variables(function):
            self.name(variable)

    def variable(self, name: str) -> TypeVarType | None:
        return self._by_name.get(name)


class _Variables(TypeQuery[list[TypeVarType]]):
    """The type variables in a type."""

    def strategy(self, items: list[list[TypeVarType]]) -> list[TypeVarType]:
        return [variable for each in items for variable in each]

    def visit_type_var(self, t: TypeVarType) -> list[TypeVarType]:
        return [t]


class _Arrays(TypeQuery[list[Instance]]):
    """The arrays in a type."""

    def strategy(self, items: list[list[Instance]]) -> list[Instance]:
        return [array for each in items for array in each]

    def visit_instance(self, t: Instance) -> list[Instance]:
        return [t] if is_array(t) else self.query_types(t.args)


def has_array(typ: Type) -> bool:
    """Whether an array is part of `typ`."""
    return bool(typ.accept(_Arrays()))


def declares_shapes(typ: Type) -> bool:
    """Whether the number of dims is said of each array in a type, in which there is one."""
    shapes = [get_proper_type(array.args[-1]) for array in typ.accept(_Arrays()) if array.args]
    return bool(shapes) and all(isinstance(shape, TupleType) for shape in shapes)


def type_variables(typ: Type) -> list[TypeVarType]:
    """The type variables in a type."""
    return typ.accept(_Variables())


def is_array(typ: Type) -> bool:
    proper = get_proper_type(typ)
    return isinstance(proper, Instance) and proper.type.fullname in names.ARRAYS


def is_of_layer(typ: Type) -> bool:
    """Whether `typ` is an array of the layer."""
    proper = get_proper_type(typ)
    return isinstance(proper, Instance) and proper.type.fullname == names.LAYER_ARRAY


def is_unknown(typ: Type) -> bool:
    """Whether `typ` is an array of which nothing is known."""
    if not isinstance(typ, Instance) or typ.type.fullname != names.ARRAY:
        return False
    return all(isinstance(arg, AnyType) for arg in typ.args)


def read_array(typ: Type, symbols: Symbols, x64: bool) -> Array | None:
    """What is known of a value of type `typ`; None if it is not an array."""
    proper = get_proper_type(typ)
    if isinstance(proper, UnionType):
        members = [read_array(item, symbols, x64) for item in proper.items]
        arrays = [member for member in members if member is not None]
        return merge_arrays(arrays) if len(arrays) == len(members) else None
    if not isinstance(proper, Instance) or (fullname := proper.type.fullname) not in names.ARRAYS:
        return None
    layer = fullname == names.LAYER_ARRAY
    if len(proper.args) != 2:
        return Array.of(None, False, None, layer)
    dtype = read_dtype_class(proper.args[0])
    return Array.of(*split_weak(dtype, x64), read_dims(proper.args[1], symbols), layer)


def read_dtype_class(typ: Type) -> str | None:
    """The dtype or weak type that a class of the stubs stands for; None for abstract classes and unknowns."""
    proper = get_proper_type(typ)
    if not isinstance(proper, Instance):
        return None
    return dtype_of_info(proper.type)


def class_itself(typ: Type) -> TypeInfo | None:
    """The class that is the value of an expression, as in ``zeros(3, float16)``; None where it is no class."""
    proper = get_proper_type(typ)
    if isinstance(proper, TypeType):
        made: Type = proper.item
    elif isinstance(proper, FunctionLike) and proper.is_type_obj():
        first = proper.items[0]  # what `__new__` gives may be of another class
        made = getattr(first, "instance_type", None) or first.ret_type
    else:
        return None
    instance = get_proper_type(made)
    return instance.type if isinstance(instance, Instance) else None


def dtype_of_info(info: TypeInfo) -> str | None:
    if info.module_name != names.SCALAR_TYPES:
        return names.KEY if info.fullname == names.PRNG_KEY else None
    return info.name if info.name in WEAK else CLASS_NAMES.get(info.name)


def is_abstract_dtype(info: TypeInfo) -> bool:
    """Whether a class stands for several dtypes, as `floating` does."""
    return info.module_name == names.SCALAR_TYPES and info.name in ABSTRACT


def read_dims(shape: Type, symbols: Symbols) -> tuple[Dim, ...] | None:
    proper = get_proper_type(shape)
    if not isinstance(proper, TupleType) or any(isinstance(t, UnpackType) for t in proper.items):
        return None
    return tuple(read_dim(item, symbols) for item in proper.items)


def read_dim(item: Type, symbols: Symbols) -> Dim:
    """A dim: an int, a symbol, a symbolic expression, or None for everything that says nothing."""
    proper = get_proper_type(item)
    if isinstance(proper, TypeVarType):
        return symbols.name(proper)
    if isinstance(proper, Instance) and proper.last_known_value is not None:
        proper = proper.last_known_value
    if isinstance(proper, LiteralType) and type(proper.value) is int and proper.value >= 0:
        return proper.value
    if isinstance(proper, LiteralType) and isinstance(proper.value, str):
        return symbols.of_formula(proper.value)
    return None


def split_weak(node: str | None, x64: bool) -> tuple[str | None, bool]:
    """The dtype that JAX computes with for a dtype or weak type, and whether it is weak."""
    return (default_dtype(WEAK[node], x64), True) if node in WEAK else (node, False)


def node_of(array: Array) -> str | None:
    """The dtype or weak type of an array, a node of the promotion lattice; a weak bool is a bool."""
    if array.dtype is None or not array.weak:
        return array.dtype
    kind = DTYPES[array.dtype].kind
    return next((name for name, weak_kind in WEAK.items() if weak_kind == kind), array.dtype)
