"""Writes JAX's answers as mypy types."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from mypy.nodes import TypeInfo, Var
from mypy.plugin import CheckerPluginInterface
from mypy.typeops import make_simplified_union
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    LiteralType,
    NoneType,
    Parameters,
    ProperType,
    TupleType,
    Type,
    TypeOfAny,
    get_proper_type,
)

from jaxtyping_core.domain.dims import Dim
from jaxtyping_core.domain.expressions import NotArithmetic
from jaxtyping_core.domain.formulas import functions_of, normal
from jaxtyping_core.domain.merging import merge
from jaxtyping_core.domain.values import (
    NONE,
    Array,
    Call,
    Complex,
    Dict,
    DType,
    Either,
    List,
    Own,
    Scalar,
    Size,
    Static,
    Tuple,
    Value,
)
from jaxtyping_core.dtypes import DTYPES
from jaxtyping_core.evaluation import protocol
from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert.abstract import (
    Lookup,
    Symbols,
    declares_shapes,
    has_array,
    is_array,
    node_of,
    read_array,
)
from jaxtyping_core_mypy.convert.literal_containers import merged
from jaxtyping_core_mypy.trees import tree_of

#: Functions in formulas that keep a size within what there is.
LIMITS = frozenset({"min", "max"})


class Writer:
    """Writes answers as mypy types."""

    def __init__(self, api: CheckerPluginInterface, symbols: Symbols, lookup: Lookup) -> None:
        self.api = api
        self.symbols = symbols
        self.lookup = lookup

    @property
    def nothing(self) -> Type:
        """The type of what nothing is known of."""
        return AnyType(TypeOfAny.special_form)

    def array(self, array: Array) -> Type:
        """The ``Array[DType, Shape]`` of an array."""
        unknown = AnyType(TypeOfAny.special_form)
        node = node_of(array)
        dtype = unknown if node is None else self._dtype(node)
        shape: Type = unknown
        if array.shape is not None:
            shape = self.tuple_of([self.dim(dim) for dim in array.shape])
        return Instance(self.lookup(names.LAYER_ARRAY if array.layer else names.ARRAY), [dtype, shape])

    def dim(self, dim: Dim) -> Type:
        if dim is None:
            return AnyType(TypeOfAny.special_form)
        if isinstance(dim, int):
            return LiteralType(dim, self._builtin("int"))
        variable = self.symbols.variable(dim)
        if variable is not None:
            return variable
        # A symbol that the arguments had only inside an expression cannot be traced back to its variable.
        if dim.isidentifier():
            return AnyType(TypeOfAny.special_form)
        # Its fallback is int, for type variables of dims that are bounded by int. One form for what is equal, however
        # JAX and the program write it. The size of ``x[:2]`` is open: who declares that it is 2 knows that there are two.
        try:
            formula = normal(dim)
        except NotArithmetic:
            formula = ""
        if not formula or not LIMITS.isdisjoint(functions_of(formula)):
            return AnyType(TypeOfAny.special_form)
        return LiteralType(formula, self._builtin("int"))

    def sharding(self) -> Type:
        """The decorator that ``jax.shard_map`` gives without a function."""
        return Instance(self.lookup(names.DECORATOR), [])

    def of_lambda(self, function: Type) -> Type:
        """What JAX makes of a function that has no name."""
        proper = get_proper_type(function)
        if not isinstance(proper, CallableType):
            return function
        function, result = proper, proper.ret_type
        accepted = Parameters(function.arg_types, function.arg_kinds, function.arg_names)
        return Instance(self.lookup(names.TRANSFORMED), [accepted, result])

    def value(self, value: Value, default: Type) -> Type:
        """The type of a result; `default`, the stub's answer, where the value says nothing."""
        match value:
            case Array():
                return self._array_within(value, default) if _has_class(value) else default
            case Either():
                return self._either(value.members, default)
            case Tuple():
                return self._tuple_like(value.items, get_proper_type(default))
            case Call(function=protocol.OBJECT, args=(Own() as own, *items)):
                return self._object(own, items, get_proper_type(default))
            case List():
                # JAX's own annotations say tuple of some functions that return lists.
                proper = get_proper_type(default)
                if _is_tuple(proper):
                    return self._tuple_like(value.items, proper)
                return self._list(value.items, default)
            case Dict():
                return self._dict(value.pairs, default)
            case Static() | Scalar() | Complex() if isinstance(get_proper_type(default), AnyType):
                return self._python(value)
            case DType() if value.name in DTYPES:
                return self._dtype_object(value.name, get_proper_type(default))
        return default

    def _array_within(self, array: Array, default: Type) -> Type:
        """The type of an array, with what the stub's answer says where `array` says nothing."""
        stub = None
        if array.dtype is None or array.shape is None:
            stub = read_array(default, self.symbols, x64=False) if is_array(default) else None
        if stub is None:
            return self.array(array)
        whole = array if array.shape is not None else replace(array, shape=stub.shape)
        proper = get_proper_type(default)
        if array.dtype is None and isinstance(proper, Instance):
            written = self.array(whole)
            assert isinstance(written, Instance)
            return written.copy_modified(args=[proper.args[0], written.args[1]])
        return self.array(whole)

    def _either(self, members: tuple[Value, ...], default: Type) -> Type:
        """The union of several arrays; of other results, what they have in common."""
        if any(not isinstance(member, Array) or member.layer for member in members):
            return self.value(merge(members), default)
        return make_simplified_union([self.value(member, default) for member in members])

    def _tuple_like(self, items: tuple[Value, ...], default: ProperType) -> Type:
        """The tuple of `items`; a named tuple stays one."""
        unknown = AnyType(TypeOfAny.special_form)
        if isinstance(default, Instance) and default.type.tuple_type is not None:
            default = default.type.tuple_type
        if isinstance(default, TupleType) and len(default.items) == len(items):
            types = [self.value(v, d) for v, d in zip(items, default.items, strict=True)]
            fallback = default.partial_fallback
            if len(fallback.args) == len(items) and fallback.type.fullname != "builtins.tuple":
                fallback = fallback.copy_modified(args=types)  # the types of a named tuple's fields
            return default.copy_modified(items=types, fallback=fallback)
        return self.tuple_of([self._python_or_array(v, unknown) for v in items])

    def _object(self, own: Own, items: list[Value], default: ProperType) -> Type:
        """An object of a class of the program; a named tuple with its `items`."""
        cls = self._class_of(own)
        if cls is None or not (isinstance(default, AnyType) or _is_of(default, cls)):
            return default
        if any(
            declares_shapes(field) for field in _fields(cls)
        ):  # `vmap` and `scan` give objects with others
            return default
        unknown = AnyType(TypeOfAny.special_form)
        made = Instance(cls, [unknown] * len(cls.type_vars))
        if cls.tuple_type is not None and len(cls.tuple_type.items) == len(items):
            whole = default if isinstance(default, TupleType) else cls.tuple_type.copy_modified(fallback=made)
            return self._tuple_like(tuple(items), whole)
        return made if isinstance(default, AnyType) else default

    def _class_of(self, own: Own) -> TypeInfo | None:
        api: Any = self.api
        module = tree_of(api.modules, own.module)
        symbol = None if module is None else module.names.get(own.name)
        return symbol.node if symbol is not None and isinstance(symbol.node, TypeInfo) else None

    def _python_or_array(self, value: Value, default: Type) -> Type:
        if isinstance(value, Size):
            return self._builtin("int")
        if not isinstance(value, Static) or value.value is None:
            return self.value(value, default)
        builtin = self._builtin(type(value.value).__name__)
        return self._number(value.value) if type(value.value) is int else builtin

    def shape(self, dims: tuple[Dim, ...]) -> Type:
        """The type of the attribute `shape` of an array: as many ints, with the values of those that are known."""
        plain = self._builtin("int")
        return self.tuple_of([self._number(dim) if isinstance(dim, int) else plain for dim in dims])

    def _number(self, value: int) -> Type:
        plain = self._builtin("int")
        return plain.copy_modified(last_known_value=LiteralType(value, plain))

    def _python(self, value: Value) -> Type:
        """The type of a Python value that the stub does not tell."""
        if value == NONE:
            return NoneType()
        if isinstance(value, Scalar):
            return self._builtin(value.kind)
        return self._builtin(type(value.value).__name__ if isinstance(value, Static) else "complex")

    def _list(self, items: tuple[Value, ...], default: Type) -> Type:
        types = [self.value(item, self.nothing) for item in items]
        is_known = any(map(has_array, types))
        return Instance(self.lookup(names.LIST_RESULT), [merged(types)]) if is_known else default

    def _dict(self, pairs: tuple[tuple[Value, Value], ...], default: Type) -> Type:
        """The dict of `pairs`, if all its keys are texts."""
        keys = [key.value for key, _ in pairs if isinstance(key, Static) and isinstance(key.value, str)]
        if not keys or len(keys) < len(pairs):
            return default
        values = merged([self.value(item, self.nothing) for _, item in pairs])
        return Instance(self.lookup(names.DICT_RESULT), [self._builtin("str"), values])

    def tuple_of(self, items: list[Type]) -> Type:
        """The tuple of these types."""
        fallback = Instance(self.lookup("builtins.tuple"), [AnyType(TypeOfAny.special_form)])
        return TupleType(items, fallback)

    def _dtype_object(self, dtype: str, default: ProperType) -> Type:
        """What ``jnp.result_type`` returns; `default` where the stub says that it is no dtype object."""
        if not isinstance(default, Instance) or default.type.fullname not in names.DTYPE_OBJECTS:
            return default
        return Instance(self.lookup(names.DTYPE_OBJECT), [self._dtype(dtype)])

    def _dtype(self, dtype: str) -> Type:
        if dtype == names.KEY:
            return Instance(self.lookup(names.PRNG_KEY), [])
        class_name = DTYPES[dtype].class_name if dtype in DTYPES else dtype
        return Instance(self.lookup(f"{names.SCALAR_TYPES}.{class_name}"), [])

    def _builtin(self, name: str) -> Instance:
        return Instance(self.lookup(f"builtins.{name}"), [])


def _has_class(array: Array) -> bool:
    """Whether there is a class for the dtype: there is none for those of an extended kind."""
    return array.dtype is None or array.dtype in DTYPES or array.dtype == names.KEY


def _is_of(typ: ProperType, cls: TypeInfo) -> bool:
    instance = typ.partial_fallback if isinstance(typ, TupleType) else typ
    return isinstance(instance, Instance) and instance.type is cls


def _fields(cls: TypeInfo) -> Iterator[Type]:
    """The types that a class declares of its fields."""
    for base in cls.mro:
        for symbol in base.names.values():
            if isinstance(symbol.node, Var) and symbol.node.type is not None:
                yield symbol.node.type


def _is_tuple(typ: ProperType) -> bool:
    return isinstance(typ, TupleType) or (isinstance(typ, Instance) and typ.type.fullname == "builtins.tuple")
