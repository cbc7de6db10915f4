"""Reads a call's arguments as values of the evaluation protocol."""

from __future__ import annotations

import json

from mypy.nodes import (
    CallExpr,
    ComplexExpr,
    Decorator,
    DictExpr,
    Expression,
    FloatExpr,
    FuncBase,
    IndexExpr,
    IntExpr,
    LambdaExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    SliceExpr,
    StarExpr,
    StrExpr,
    TupleExpr,
    TypeInfo,
    UnaryExpr,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    LiteralType,
    NoneType,
    Overloaded,
    ProperType,
    TupleType,
    Type,
    TypedDictType,
    TypeType,
    UnionType,
    get_proper_type,
)

from jaxtyping_core.dtypes import WEAK
from jaxtyping_core.evaluation.protocol import Value
from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert.abstract import (
    CLASS_NAMES,
    SYMBOL_ATTRIBUTE,
    VALUE_ATTRIBUTE,
    ArrayType,
    Dim,
    Symbols,
    dtype_of_info,
    is_array,
    read_array,
    read_dim,
    read_dtype_class,
    split_weak,
)
from jaxtyping_core_mypy.convert.functions import read_call, read_lambda
from jaxtyping_core_mypy.convert.meaning import ARITHMETIC, SIZES, Meaning
from jaxtyping_core_mypy.convert.numpy import is_of_any_dtype, read_numpy, read_numpy_dtype

#: Sequences of any length, and what JAX takes them for.
SEQUENCES = {"builtins.list": "list", "builtins.tuple": "tuple", "typing.Sequence": "tuple"}
PYTHON_SCALARS = {
    "builtins.bool": "bool",
    "builtins.int": "int",
    "builtins.float": "float",
    "builtins.complex": "complex",
}


class Reader:
    """Reads one call's arguments as values of the evaluation protocol; None where one is not known."""

    def __init__(self, api: CheckerPluginInterface, x64: bool) -> None:
        self.api = api
        self.x64 = x64
        self.symbols = Symbols()

    def argument(self, expr: Expression, typ: Type) -> Value | None:
        """The value of an argument, from how it is written where that says more than its type."""
        if isinstance(expr, NameExpr) and is_array(typ):  # as most of them are
            return self.of_type(typ)
        typ = self.refined(expr, typ)
        if isinstance(expr, (TupleExpr, ListExpr)):
            return self._display(expr)
        if isinstance(expr, SliceExpr):
            return self._slice(expr)
        if isinstance(expr, FloatExpr):  # there are no literal types of floats
            return ["static", expr.value]
        if isinstance(expr, ComplexExpr):
            return ["complex", 0.0, expr.value.imag]
        if isinstance(expr, DictExpr):
            return self._dict(expr)
        if isinstance(expr, LambdaExpr):
            return read_lambda(self, expr)
        if isinstance(expr, UnaryExpr) and expr.op == "-":
            return self._negative(expr, typ)
        found: Value | None = None
        meaning = Meaning(self)
        if isinstance(expr, RefExpr):
            found = self._reference(expr)
        elif isinstance(expr, IndexExpr):
            found = meaning.part(expr, typ)
        elif isinstance(expr, CallExpr):
            found = self._dtype_call(expr) or meaning.builtin_call(expr)
        elif isinstance(expr, OpExpr) and expr.op in (*ARITHMETIC, "**") and not is_array(typ):
            found = meaning.arithmetic(expr)
        if found is None and isinstance(expr, NameExpr) and not is_array(typ):
            found = meaning.bound(expr)
        if found is None:
            found = self.of_type(typ, made=meaning.is_made(expr))
        if found is None and isinstance(expr, CallExpr) and not is_array(typ):
            return read_call(self, expr)
        return found

    def refined(self, expr: Expression, typ: Type) -> Type:
        """`typ`, or what the expression has on its own where its context took that away.

        As an argument of type ArrayLike a call of a generic function is inferred with Any for its dims, and one of
        NumPy's with Any for its dtype.
        """
        if isinstance(expr, CallExpr) and (_calls_generic(expr) if is_array(typ) else is_of_any_dtype(typ)):
            return self.api.get_expression_type(expr)
        return self.api.get_expression_type(expr) if isinstance(expr, ListComprehension) else typ

    def of_type(self, typ: Type, made: bool = False) -> Value | None:
        """The value of an expression of which only the type is known.

        `made`: the type is as a hook of the plugin made it, with what it notes there; mypy joins such types
        with others as if they were the same.
        """
        proper = get_proper_type(typ)
        if isinstance(proper, NoneType):
            return ["static", None]
        if isinstance(proper, LiteralType):
            return self._literal(proper)
        if isinstance(proper, TupleType):
            items = [self.of_type(item, made) for item in proper.items]
            own = proper.partial_fallback.type.fullname
            path = names.public_path(own)
            # A named tuple of the program's is no tuple to `jax.tree.map`, and only the program can make one.
            if None in items or not (path or own == "builtins.tuple"):
                return None
            return ["call", path, items, {}] if path else ["tuple", items]  # JAX's own named tuples
        if isinstance(proper, UnionType):
            return self._union(proper)
        if isinstance(proper, TypedDictType):
            return self._typed_dict(proper)
        if isinstance(proper, (CallableType, Overloaded, TypeType)):
            return self._class(proper)
        if isinstance(proper, Instance) and not is_array(proper):
            return self._instance(proper, made)
        return self._array(read_array(proper, self.symbols))

    def array(self, expr: Expression, typ: Type) -> ArrayType | None:
        """What is known of an array, JAX's or NumPy's; None if `typ` is neither."""
        typ = self.refined(expr, typ)
        return read_array(typ, self.symbols) or read_numpy(typ, self.symbols, self.x64)

    def _union(self, union: UnionType) -> Value | None:
        """One of several values; what arrays have in common where one of them is not known."""
        values = [self.of_type(item) for item in union.items]
        known = [value for value in values if value is not None]
        if len(known) < len(values):
            return self._array(read_array(union, self.symbols))
        distinct = [value for i, value in enumerate(known) if value not in known[:i]]
        return distinct[0] if len(distinct) == 1 else ["either", distinct]

    def _typed_dict(self, typed: TypedDictType) -> Value | None:
        """A dict whose keys are all there."""
        pairs = [[["static", key], self.of_type(item)] for key, item in typed.items.items()]
        whole = typed.required_keys == typed.items.keys() and all(item is not None for _, item in pairs)
        return ["dict", pairs] if whole else None

    def _array(self, array: ArrayType | None) -> Value | None:
        if array is None or (array.dtype is None and array.dims is None):
            return None
        dtype: tuple[str | None, bool] = (None, False)
        if array.dtype is not None:
            dtype = split_weak(array.dtype, self.x64)
        value = ["array", *dtype, None if array.dims is None else list(array.dims)]
        return ["layer", value] if array.layer else value

    def _literal(self, literal: LiteralType) -> Value | None:
        if literal.fallback.type.is_enum:
            path = names.public_path(literal.fallback.type.fullname)
            return ["named", f"{path}.{literal.value}"] if path else None
        return None if isinstance(literal.value, bytes) else ["static", literal.value]

    def _instance(self, instance: Instance, made: bool) -> Value | None:
        if instance.last_known_value is not None:
            return self._literal(instance.last_known_value)
        noted = instance.extra_attrs.attrs if instance.extra_attrs is not None and made else {}
        if SYMBOL_ATTRIBUTE in noted:
            return self.size(read_dim(noted[SYMBOL_ATTRIBUTE], self.symbols))
        if VALUE_ATTRIBUTE in noted:
            written = get_proper_type(noted[VALUE_ATTRIBUTE])
            return json.loads(str(written.value)) if isinstance(written, LiteralType) else None
        if instance.type.fullname in SEQUENCES and len(instance.args) == 1:
            item = self.of_type(instance.args[0])
            return None if item is None else ["many", SEQUENCES[instance.type.fullname], item]
        if instance.type.fullname in PYTHON_SCALARS:
            return ["scalar", PYTHON_SCALARS[instance.type.fullname]]
        if instance.type.fullname in ("builtins.ellipsis", "types.EllipsisType"):
            return ["ellipsis"]
        if instance.type.fullname in names.DTYPE_OBJECTS:
            return self._dtype_object(instance)
        return self._array(read_numpy(instance, self.symbols, self.x64))

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

    def _dtype_object(self, instance: Instance) -> Value | None:
        """The type of ``x.dtype``: an array's own dtype object, or NumPy's."""
        if not instance.args:
            return None
        found = read_dtype_class(instance.args[0])
        name = split_weak(found, self.x64)[0] if found else read_numpy_dtype(instance.args[0])
        return None if name is None else ["dtype", name]

    def _dtype_call(self, expr: CallExpr) -> Value | None:
        """``jnp.dtype(d)``, which says as much as `d`; NumPy's stub does not know JAX's dtypes."""
        if not isinstance(expr.callee, RefExpr) or expr.callee.fullname != names.NUMPY_DTYPE:
            return None
        value = self.item(expr.args[0]) if len(expr.args) == 1 else None
        tag = None if value is None else value[0]
        return (
            value if tag in ("dtype", "builtin") or (tag == "static" and value != ["static", None]) else None
        )

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
            path = names.public_path(expr.fullname)
            # Enums and named tuples have values of their own.
            if path is not None and not (isinstance(expr.node, Var) and self._is_unset(expr.node)):
                return ["named", path]
        return None

    @staticmethod
    def _is_unset(variable: Var) -> bool:
        """Whether a variable of JAX has no type that says what it is."""
        return isinstance(get_proper_type(variable.type), AnyType | None)

    def _attribute(self, expr: MemberExpr) -> Value | None:
        array = read_array(self.api.get_expression_type(expr.expr), self.symbols)
        if array is None:
            return None
        if expr.name == "dtype" and array.dtype is not None:
            return ["dtype", split_weak(array.dtype, self.x64)[0]]
        if expr.name == "shape" and array.dims is not None:
            items = [self.size(dim) for dim in array.dims]
            return None if None in items else ["tuple", items]
        return self.of_type(self.api.get_expression_type(expr), made=True) if expr.name in SIZES else None

    @staticmethod
    def size(dim: Dim) -> Value | None:
        if dim is None:
            return None
        return ["static", dim] if isinstance(dim, int) else ["dim", dim]

    def item(self, expr: Expression) -> Value | None:
        if isinstance(expr, (IntExpr, StrExpr)):  # mypy need not infer what is written there
            return ["static", expr.value]
        return self.argument(expr, self.api.get_expression_type(expr))

    def _display(self, expr: TupleExpr | ListExpr) -> Value | None:
        items: list[Value | None] = []
        for item in expr.items:
            value = self.item(item.expr if isinstance(item, StarExpr) else item)
            if isinstance(item, StarExpr):
                items += value[1] if value is not None and value[0] in ("tuple", "list") else [None]
            else:
                items.append(value)
        return None if None in items else ["tuple" if isinstance(expr, TupleExpr) else "list", items]

    def _dict(self, expr: DictExpr) -> Value | None:
        pairs = [None if key is None else [self.item(key), self.item(item)] for key, item in expr.items]
        return None if any(pair is None or None in pair for pair in pairs) else ["dict", pairs]

    def _slice(self, expr: SliceExpr) -> Value | None:
        parts = (expr.begin_index, expr.end_index, expr.stride)
        values = [["static", None] if part is None else self.item(part) for part in parts]
        return None if None in values else ["slice", *values]

    def _negative(self, expr: UnaryExpr, typ: Type) -> Value | None:
        value = self.item(expr.expr)
        if value is not None and value[0] == "static" and type(value[1]) in (int, float):
            return ["static", -value[1]]
        if value is not None and value[0] == "complex":
            return ["complex", *(-part for part in value[1:])]
        return self.of_type(typ)


def _calls_generic(expr: CallExpr) -> bool:
    """Whether a user's function with type variables is called: mypy solves them from the context too."""
    node = expr.callee.node if isinstance(expr.callee, RefExpr) else None
    node = node.var if isinstance(node, Decorator) else node
    declared = get_proper_type(node.type) if isinstance(node, (FuncBase, Var)) and node.type else None
    return isinstance(declared, CallableType) and bool(declared.variables)
