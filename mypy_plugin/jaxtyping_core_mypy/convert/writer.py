"""Writes JAX's answers as mypy types."""

from __future__ import annotations

from collections.abc import Callable

from mypy.nodes import TypeInfo
from mypy.plugin import CheckerPluginInterface
from mypy.types import (
    AnyType,
    ExtraAttrs,
    Instance,
    LiteralType,
    ProperType,
    TupleType,
    Type,
    TypeOfAny,
    get_proper_type,
)

from jaxtyping_core.dtypes import DTYPES
from jaxtyping_core.evaluation.protocol import Value
from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert.abstract import (
    SYMBOL_ATTRIBUTE,
    ArrayType,
    Dim,
    Symbols,
    merge_arrays,
    weak_name,
)

#: Finds a class by its fully qualified name.
Lookup = Callable[[str], TypeInfo]


class Writer:
    """Writes answers as mypy types."""

    def __init__(self, api: CheckerPluginInterface, symbols: Symbols, lookup: Lookup) -> None:
        self.api = api
        self.symbols = symbols
        self.lookup = lookup

    def array(self, array: ArrayType) -> Type:
        """The ``Array[DType, Shape]`` of an abstract array."""
        unknown = AnyType(TypeOfAny.special_form)
        dtype = unknown if array.dtype is None else self._dtype(array.dtype)
        shape: Type = unknown
        if array.dims is not None:
            shape = self._tuple([self.dim(dim) for dim in array.dims])
        return Instance(self.lookup(names.ARRAY), [dtype, shape])

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
        # Its fallback is int, for type variables of dims that are bounded by int.
        return LiteralType(dim, self._builtin("int"))

    def value(self, value: Value, default: Type) -> Type:
        """The type of a result; `default`, the stub's answer, where the value says nothing."""
        tag = value[0]
        if tag == "array":
            _, dtype, weak, dims = value
            if dtype not in DTYPES:
                return default  # an extended dtype such as key<fry>
            return self.array(ArrayType(weak_name(dtype) if weak else dtype, tuple(dims)))
        if tag == "tuple":
            return self._tuple_like(value[1], get_proper_type(default))
        if tag == "list":
            return self._list(value[1], default)
        if tag == "dtype" and value[1] in DTYPES:
            return self._dtype_object(value[1], get_proper_type(default))
        return default

    def _tuple_like(self, items: list[Value], default: ProperType) -> Type:
        """The tuple of `items`; a named tuple stays one."""
        unknown = AnyType(TypeOfAny.special_form)
        if isinstance(default, Instance) and default.type.tuple_type is not None:
            default = default.type.tuple_type
        if isinstance(default, TupleType) and len(default.items) == len(items):
            types = [self.value(v, d) for v, d in zip(items, default.items, strict=True)]
            return default.copy_modified(items=types)
        return self._tuple([self._python_or_array(v, unknown) for v in items])

    def _python_or_array(self, value: Value, default: Type) -> Type:
        if value[0] == "dim":
            return self._symbolic_int(value[1])
        if value[0] != "static" or value[1] is None:
            return self.value(value, default)
        builtin = self._builtin(type(value[1]).__name__)
        if type(value[1]) is int:
            return builtin.copy_modified(last_known_value=LiteralType(value[1], builtin))
        return builtin

    def _symbolic_int(self, expression: str) -> Type:
        """An int that remembers its symbol: ``b, t = x.shape`` is followed by ``x.reshape(b * t)``."""
        plain = self._builtin("int")
        remembered = ExtraAttrs({SYMBOL_ATTRIBUTE: self.dim(expression)})
        return Instance(plain.type, [], extra_attrs=remembered)

    def _list(self, items: list[Value], default: Type) -> Type:
        """The list of `items`: of one type, so that arrays of different shapes leave them open."""
        if not items or any(item[0] != "array" or item[1] not in DTYPES for item in items):
            return default
        arrays = [ArrayType(weak_name(d) if weak else d, tuple(dims)) for _, d, weak, dims in items]
        return self.api.named_generic_type("builtins.list", [self.array(merge_arrays(arrays))])

    def _tuple(self, items: list[Type]) -> Type:
        fallback = self.api.named_generic_type("builtins.tuple", [AnyType(TypeOfAny.special_form)])
        return TupleType(items, fallback)

    def _dtype_object(self, dtype: str, default: ProperType) -> Type:
        """What ``jnp.result_type`` returns; `default` where the stub says that it is no dtype object."""
        if not isinstance(default, Instance) or default.type.fullname != names.NUMPY_DTYPE:
            return default
        return Instance(self.lookup(names.DTYPE_OBJECT), [self._dtype(dtype)])

    def _dtype(self, dtype: str) -> Type:
        class_name = DTYPES[dtype].class_name if dtype in DTYPES else dtype
        return Instance(self.lookup(f"{names.SCALAR_TYPES}.{class_name}"), [])

    def _builtin(self, name: str) -> Instance:
        return self.api.named_generic_type(f"builtins.{name}", [])
