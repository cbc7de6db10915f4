"""Between mypy's types and abstract values: the only module that knows how mypy represents types.

`Reader` turns the types and expressions of one call's arguments into the evaluation protocol's values;
`Writer` turns an answer back into a mypy type. A dim that is a type variable is a symbol named after it;
symbolic arithmetic that JAX answers (``B + 3``) is a string literal type.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from mypy.nodes import (
    CallExpr,
    Decorator,
    Expression,
    FuncBase,
    IndexExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    SliceExpr,
    TupleExpr,
    TypeInfo,
    UnaryExpr,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import (
    AnyType,
    CallableType,
    ExtraAttrs,
    Instance,
    LiteralType,
    NoneType,
    Overloaded,
    ProperType,
    TupleType,
    Type,
    TypeOfAny,
    TypeType,
    TypeVarType,
    UnionType,
    UnpackType,
    get_proper_type,
)

from jaxtyping_core.dtypes import DTYPES, WEAK, default_dtype
from jaxtyping_core.evaluation.protocol import Value
from jaxtyping_core_mypy import names

Dim = int | str | None
SYMBOL = re.compile(r"[A-Za-z_]\w*", re.ASCII)
#: The attribute under which an int's type carries the symbolic size that it is.
SYMBOL_ATTRIBUTE = "__jaxtyping_core_dim__"
#: Names that mean something in JAX's symbolic expressions.
RESERVED = frozenset({"max", "min", "mod", "floordiv", "non_negative"})
#: Arithmetic of sizes, as JAX's symbolic expressions spell it.
ARITHMETIC = {
    "+": "({}) + ({})",
    "-": "({}) - ({})",
    "*": "({}) * ({})",
    "//": "floordiv({}, {})",
    "%": "mod({}, {})",
}
PYTHON_SCALARS = {
    "builtins.bool": "bool",
    "builtins.int": "int",
    "builtins.float": "float",
    "builtins.complex": "complex",
}
CLASS_NAMES = {row.class_name: row.name for row in DTYPES.values()}


class ArrayType(NamedTuple):
    """What is known of an array: `dtype` is a dtype, a weak type or None; `dims` is None for unknown rank."""

    dtype: str | None
    dims: tuple[Dim, ...] | None

    def describe(self) -> str:
        """As users read it: ``float32[B, 3]``."""
        dtype = self.dtype or "Array"
        if self.dims is None:
            return f"{dtype}[...]"
        return f"{dtype}[{', '.join('?' if d is None else str(d) for d in self.dims)}]"


class Symbols:
    """The type variables met as dims, under the names that stand for them in symbolic expressions."""

    def __init__(self) -> None:
        self._by_name: dict[str, TypeVarType] = {}

    def name(self, variable: TypeVarType) -> str:
        base = variable.name if SYMBOL.fullmatch(variable.name) else "dim"
        name, n = base, 1
        while name in RESERVED or self._by_name.get(name, variable).id != variable.id:
            n += 1
            name = f"{base}_{n}"
        self._by_name[name] = variable
        return name

    def variable(self, name: str) -> TypeVarType | None:
        return self._by_name.get(name)


def is_array(typ: Type) -> bool:
    proper = get_proper_type(typ)
    return isinstance(proper, Instance) and proper.type.fullname == names.ARRAY


def read_array(typ: Type, symbols: Symbols) -> ArrayType | None:
    """What is known of a value of type `typ`; None if it is not an array."""
    proper = get_proper_type(typ)
    if isinstance(proper, UnionType):
        members = [read_array(item, symbols) for item in proper.items]
        arrays = [member for member in members if member is not None]
        return merge_arrays(arrays) if len(arrays) == len(members) else None
    if not isinstance(proper, Instance) or proper.type.fullname not in (
        names.ARRAY,
        names.UPDATE_HELPER,
        names.UPDATE_REF,
    ):
        return None
    if len(proper.args) != 2:
        return ArrayType(None, None)
    return ArrayType(read_dtype_class(proper.args[0]), read_dims(proper.args[1], symbols))


def read_dtype_class(typ: Type) -> str | None:
    """The dtype or weak type that a class of the stubs stands for; None for abstract classes and unknowns."""
    proper = get_proper_type(typ)
    if not isinstance(proper, Instance):
        return None
    return dtype_of_info(proper.type)


def dtype_of_info(info: TypeInfo) -> str | None:
    if info.module_name != names.SCALAR_TYPES:
        return None
    return info.name if info.name in WEAK else CLASS_NAMES.get(info.name)


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
        return proper.value
    return None


def _calls_generic(expr: CallExpr) -> bool:
    """Whether a user's function with type variables is called: mypy solves them from the context too."""
    node = expr.callee.node if isinstance(expr.callee, RefExpr) else None
    node = node.var if isinstance(node, Decorator) else node
    declared = get_proper_type(node.type) if isinstance(node, (FuncBase, Var)) and node.type else None
    return isinstance(declared, CallableType) and bool(declared.variables)


def merge_arrays(arrays: list[ArrayType]) -> ArrayType:
    """What is known of a value that is one of `arrays`."""
    first, *rest = arrays
    dtype = first.dtype if all(array.dtype == first.dtype for array in rest) else None
    dims = first.dims
    for array in rest:
        if dims is None or array.dims is None or len(array.dims) != len(dims):
            dims = None
            break
        dims = tuple(a if a == b else None for a, b in zip(dims, array.dims, strict=True))
    return ArrayType(dtype, dims)


def split_weak(dtype: str, x64: bool) -> tuple[str, bool]:
    """The dtype that JAX computes with, and whether it is weak."""
    return (default_dtype(WEAK[dtype], x64), True) if dtype in WEAK else (dtype, False)


class Reader:
    """Reads one call's arguments as values of the evaluation protocol; None where one is not known."""

    def __init__(self, api: CheckerPluginInterface, x64: bool) -> None:
        self.api = api
        self.x64 = x64
        self.symbols = Symbols()

    def argument(self, expr: Expression, typ: Type) -> Value | None:
        """The value of an argument, from how it is written where that says more than its type."""
        typ = self.refined(expr, typ)
        if isinstance(expr, (TupleExpr, ListExpr)):
            return self._display(expr)
        if isinstance(expr, SliceExpr):
            return self._slice(expr)
        if isinstance(expr, UnaryExpr) and expr.op == "-":
            return self._negative(expr, typ)
        found: Value | None = None
        if isinstance(expr, RefExpr):
            found = self._reference(expr)
        elif isinstance(expr, IndexExpr):
            found = self._size(expr)
        elif isinstance(expr, OpExpr) and expr.op in ARITHMETIC:
            found = self._arithmetic(expr)
        return self.of_type(typ) if found is None else found

    def refined(self, expr: Expression, typ: Type) -> Type:
        """`typ`, or what the expression has on its own where its context took that away.

        As an argument of type ArrayLike a call of a generic function is inferred with Any for its dims.
        """
        if isinstance(expr, CallExpr) and is_array(typ) and _calls_generic(expr):
            return self.api.get_expression_type(expr)
        return typ

    def of_type(self, typ: Type) -> Value | None:
        """The value of an expression of which only the type is known."""
        proper = get_proper_type(typ)
        if isinstance(proper, NoneType):
            return ["static", None]
        if isinstance(proper, LiteralType):
            return self._literal(proper)
        if isinstance(proper, TupleType):
            items = [self.of_type(item) for item in proper.items]
            return None if None in items else ["tuple", items]
        if isinstance(proper, (CallableType, Overloaded, TypeType)):
            return self._class(proper)
        if isinstance(proper, Instance) and not is_array(proper):
            return self._instance(proper)
        array = read_array(proper, self.symbols)
        if array is None or array.dtype is None or array.dims is None:
            return None
        return ["array", *split_weak(array.dtype, self.x64), list(array.dims)]

    def _literal(self, literal: LiteralType) -> Value | None:
        if literal.fallback.type.is_enum or isinstance(literal.value, bytes):
            return None
        return ["static", literal.value]

    def _instance(self, instance: Instance) -> Value | None:
        if instance.last_known_value is not None:
            return self._literal(instance.last_known_value)
        if instance.extra_attrs is not None and SYMBOL_ATTRIBUTE in instance.extra_attrs.attrs:
            return self._dim(read_dim(instance.extra_attrs.attrs[SYMBOL_ATTRIBUTE], self.symbols))
        if instance.type.fullname in PYTHON_SCALARS:
            return ["scalar", PYTHON_SCALARS[instance.type.fullname]]
        if instance.type.fullname in ("builtins.ellipsis", "types.EllipsisType"):
            return ["ellipsis"]
        return None

    def _class(self, typ: CallableType | Overloaded | TypeType) -> Value | None:
        """A class used as a dtype."""
        if isinstance(typ, TypeType):
            item: ProperType = typ.item
        else:
            callable_ = typ.items[0]
            if not callable_.is_type_obj():
                return None
            item = getattr(callable_, "instance_type", None) or get_proper_type(callable_.ret_type)
        return self._dtype_of(item.type) if isinstance(item, Instance) else None

    def _dtype_of(self, info: TypeInfo) -> Value | None:
        found = dtype_of_info(info)
        if found is not None and found not in WEAK:
            return ["dtype", found]
        if info.fullname in PYTHON_SCALARS:
            return ["builtin", info.name]
        return self._numpy_dtype(info.fullname)

    def _numpy_dtype(self, fullname: str) -> Value | None:
        module, _, name = fullname.rpartition(".")
        known = CLASS_NAMES.get("bool_" if name == "bool" else name)
        return ["dtype", known] if module == "numpy" and known else None

    def _reference(self, expr: RefExpr) -> Value | None:
        """A name that means more than its type: a dtype class, a function or constant of jax, ``x.dtype``."""
        if isinstance(expr.node, TypeInfo):
            return self._dtype_of(expr.node)
        if isinstance(expr, MemberExpr) and expr.name in ("dtype", "shape", "ndim", "size"):
            return self._attribute(expr)
        if isinstance(expr, (NameExpr, MemberExpr)):
            found = self._numpy_dtype(expr.fullname)
            if found is not None:
                return found
            if expr.fullname.startswith(("jax.numpy.", "jax.nn.", "jax.lax.")) and not isinstance(expr.node, Var):
                return ["named", expr.fullname]
        return None

    def _attribute(self, expr: MemberExpr) -> Value | None:
        array = read_array(self.api.get_expression_type(expr.expr), self.symbols)
        if array is None:
            return None
        if expr.name == "dtype" and array.dtype is not None:
            return ["dtype", split_weak(array.dtype, self.x64)[0]]
        if expr.name == "shape" and array.dims is not None:
            items = [self._dim(dim) for dim in array.dims]
            return None if None in items else ["tuple", items]
        if expr.name == "ndim" and array.dims is not None:
            return ["static", len(array.dims)]
        return None

    def _size(self, expr: IndexExpr) -> Value | None:
        """``x.shape[0]``, whose type cannot tell a symbol."""
        if not isinstance(expr.base, MemberExpr) or expr.base.name != "shape":
            return None
        index = self.argument(expr.index, self.api.get_expression_type(expr.index))
        array = read_array(self.api.get_expression_type(expr.base.expr), self.symbols)
        if array is None or array.dims is None or index is None or index[0] != "static":
            return None
        position = index[1]
        if type(position) is not int or not -len(array.dims) <= position < len(array.dims):
            return None
        return self._dim(array.dims[position])

    def _arithmetic(self, expr: OpExpr) -> Value | None:
        """``b * t`` and ``3 * width`` of sizes."""
        left, right = self._item(expr.left), self._item(expr.right)
        if left is None or right is None or {left[0], right[0]} - {"static", "dim"}:
            return None
        if any(value[0] == "static" and type(value[1]) is not int for value in (left, right)):
            return None
        expression = ARITHMETIC[expr.op].format(left[1], right[1])
        return ["dim", expression]

    @staticmethod
    def _dim(dim: Dim) -> Value | None:
        if dim is None:
            return None
        return ["static", dim] if isinstance(dim, int) else ["dim", dim]

    def _item(self, expr: Expression) -> Value | None:
        return self.argument(expr, self.api.get_expression_type(expr))

    def _display(self, expr: TupleExpr | ListExpr) -> Value | None:
        items = [self._item(item) for item in expr.items]
        return None if None in items else ["tuple" if isinstance(expr, TupleExpr) else "list", items]

    def _slice(self, expr: SliceExpr) -> Value | None:
        parts = (expr.begin_index, expr.end_index, expr.stride)
        values = [["static", None] if part is None else self._item(part) for part in parts]
        return None if None in values else ["slice", *values]

    def _negative(self, expr: UnaryExpr, typ: Type) -> Value | None:
        value = self._item(expr.expr)
        if value is not None and value[0] == "static" and type(value[1]) in (int, float):
            return ["static", -value[1]]
        return self.of_type(typ)


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
        return variable if variable is not None else LiteralType(dim, self._builtin("str"))

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
        types = [self.value(item, AnyType(TypeOfAny.special_form)) for item in items]
        if types and all(t == types[0] for t in types):
            return self.api.named_generic_type("builtins.list", [types[0]])
        return default

    def _tuple(self, items: list[Type]) -> Type:
        fallback = self.api.named_generic_type("builtins.tuple", [AnyType(TypeOfAny.special_form)])
        return TupleType(items, fallback)

    def _dtype(self, dtype: str) -> Type:
        class_name = DTYPES[dtype].class_name if dtype in DTYPES else dtype
        return Instance(self.lookup(f"{names.SCALAR_TYPES}.{class_name}"), [])

    def _builtin(self, name: str) -> Instance:
        return self.api.named_generic_type(f"builtins.{name}", [])


def weak_name(dtype: str) -> str:
    """The weak type of an array whose weak dtype shows as `dtype`."""
    kind = DTYPES[dtype].kind
    return next((name for name, weak_kind in WEAK.items() if weak_kind == kind), dtype)
