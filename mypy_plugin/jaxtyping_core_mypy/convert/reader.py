"""Reads a call's arguments as values of the evaluation protocol."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import replace

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

from jaxtyping_core.dtypes import PYTHON_SCALARS, WEAK
from jaxtyping_core.evaluation.values import (
    ANY,
    NONE,
    Anything,
    Array,
    Builtin,
    Call,
    Complex,
    Dict,
    Dim,
    Dots,
    DType,
    Either,
    Items,
    List,
    Many,
    Named,
    Own,
    Scalar,
    Size,
    Slice,
    Static,
    Tuple,
    Value,
    decode,
)
from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert.abstract import (
    CLASS_NAMES,
    SYMBOL_ATTRIBUTE,
    VALUE_ATTRIBUTE,
    Symbols,
    dtype_of_info,
    is_array,
    read_array,
    read_dim,
    read_dtype_class,
    split_weak,
)
from jaxtyping_core_mypy.convert.displays import is_display, is_whole, places_of, record_of
from jaxtyping_core_mypy.convert.functions import known, read_call, read_lambda
from jaxtyping_core_mypy.convert.meaning import ARITHMETIC, SIZES, Meaning
from jaxtyping_core_mypy.convert.numpy import is_numpy, is_of_any_dtype, read_numpy, read_numpy_dtype
from jaxtyping_core_mypy.convert.numpy_shapes import numpy_dims
from jaxtyping_core_mypy.convert.openness import Kinds, kinds_of_parts
from jaxtyping_core_mypy.convert.own import own_function
from jaxtyping_core_mypy.facts import ModuleFacts

#: Sequences of any length, and what JAX takes them for.
SEQUENCES = {"builtins.list": "list", "builtins.tuple": "tuple", "typing.Sequence": "tuple"}
#: The classes of Python scalars, by their full names.
SCALAR_CLASSES = {f"builtins.{kind.__name__}": kind.__name__ for kind in PYTHON_SCALARS}


class Reader:
    """Reads one call's arguments as values of the evaluation protocol; None where one is not known."""

    def __init__(self, api: CheckerPluginInterface, x64: bool, facts: ModuleFacts) -> None:
        self.api = api
        self.x64 = x64
        self.facts = facts
        self.symbols = Symbols()
        #: What the argument at hand may be if nothing is known of it; None where arrays are of no use either of which
        #: nothing is known.
        self.kinds: Kinds | None = None

    @contextlib.contextmanager
    def expecting(self, kinds: Kinds | None) -> Iterator[None]:
        """Read what nothing is known of as anything of these kinds."""
        outer, self.kinds = self.kinds, kinds
        try:
            yield
        finally:
            self.kinds = outer

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
            return Static(expr.value)
        if isinstance(expr, ComplexExpr):
            return Complex(0.0, expr.value.imag)
        if isinstance(expr, DictExpr):
            return self._dict(expr)
        if isinstance(expr, LambdaExpr):
            return read_lambda(self, expr)
        if isinstance(expr, UnaryExpr) and expr.op == "-":
            return self._negative(expr, typ)
        value: Value | None = None
        meaning = Meaning(self)
        if isinstance(expr, RefExpr):
            value = self._reference(expr)
        elif isinstance(expr, IndexExpr):
            value = meaning.part(expr, typ)
        elif isinstance(expr, CallExpr):
            value = self._dtype_call(expr) or meaning.builtin_call(expr)
        elif isinstance(expr, OpExpr) and expr.op in ARITHMETIC and not is_array(typ):
            value = meaning.arithmetic(expr)
        if value is None and isinstance(expr, NameExpr) and not is_array(typ):
            value = meaning.bound(expr)
        if value is None:
            value = self.of_type(typ, made=meaning.is_made(expr))
        if value is None and isinstance(expr, CallExpr) and not is_array(typ):
            return read_call(self, expr)
        return self._shaped(expr, typ) or value if is_numpy(typ) and not self._expects_anything else value

    def _shaped(self, expr: Expression, typ: Type) -> Array | None:
        """An array of NumPy with the shape that it is made with, if that is known."""
        array, dims = read_numpy(typ, self.symbols, self.x64), numpy_dims(self, expr)
        return None if array is None or dims is None else replace(array, dims=dims)

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
        if isinstance(proper, AnyType):
            return Anything(self.kinds) if self.kinds else None
        if isinstance(proper, NoneType):
            return NONE
        if isinstance(proper, LiteralType):
            return self._literal(proper)
        if isinstance(proper, TupleType):
            return self._tuple(proper, made)
        if isinstance(proper, UnionType):
            return self._union(proper)
        if isinstance(proper, TypedDictType):
            return self._typed_dict(proper)
        if isinstance(proper, (CallableType, Overloaded, TypeType)):
            return self._class(proper)
        if isinstance(proper, Instance) and not is_array(proper):
            return self._instance(proper, made)
        return self._if_known(self.array_of(proper))

    def _if_known(self, array: Array | None) -> Array | None:
        """`array`, unless nothing is known of it, and that is of no use."""
        if array is None or self.kinds is not None:
            return array
        return None if array.dtype is None and array.dims is None else array

    def array_of(self, typ: Type) -> Array | None:
        """What is known of an array of JAX; None if `typ` is none."""
        return read_array(typ, self.symbols, self.x64)

    def operand_of(self, typ: Type) -> Array | None:
        """What is known of an array, JAX's or NumPy's; None if `typ` is neither."""
        return self.array_of(typ) or read_numpy(typ, self.symbols, self.x64)

    def _tuple(self, typ: TupleType, made: bool) -> Value | None:
        with self.expecting(kinds_of_parts(self.kinds)):
            items = known([self.of_type(item, made) for item in typ.items])
        own = typ.partial_fallback.type.fullname
        path = names.public_path(own)
        # A named tuple of the program's is no tuple to `jax.tree.map`, and only the program can make one.
        if items is None or not (path or own == "builtins.tuple"):
            return None
        return Call(path, tuple(items), {}) if path else Tuple(tuple(items))  # JAX's own named tuples

    def _union(self, union: UnionType) -> Value | None:
        """One of several values; what arrays have in common where one of them is not known."""
        if any(map(is_display, union.items)):  # mypy does not ask when it is changed
            return None
        values = known([self.of_type(item) for item in union.items])
        if values is None:
            return self._if_known(self.array_of(union))
        distinct = [value for i, value in enumerate(values) if value not in values[:i]]
        return distinct[0] if len(distinct) == 1 else Either(tuple(distinct))

    def _typed_dict(self, typed: TypedDictType) -> Value | None:
        """A dict whose keys are all there."""
        items = known([self.of_type(item) for item in typed.items.values()])
        if items is None or typed.required_keys != typed.items.keys():
            return None
        return Dict(tuple((Static(key), item) for key, item in zip(typed.items, items, strict=True)))

    def _literal(self, literal: LiteralType) -> Value | None:
        if literal.fallback.type.is_enum:
            path = names.public_path(literal.fallback.type.fullname)
            return Named(f"{path}.{literal.value}") if path else None
        return Static(literal.value) if isinstance(literal.value, (int, str)) else None

    def _instance(self, instance: Instance, made: bool) -> Value | None:
        if instance.last_known_value is not None:
            return self._literal(instance.last_known_value)
        noted = instance.extra_attrs.attrs if instance.extra_attrs is not None and made else {}
        if SYMBOL_ATTRIBUTE in noted:
            return self.size(read_dim(noted[SYMBOL_ATTRIBUTE], self.symbols))
        if VALUE_ATTRIBUTE in noted:
            written = get_proper_type(noted[VALUE_ATTRIBUTE])
            return decode(json.loads(str(written.value))) if isinstance(written, LiteralType) else None
        if instance.type.fullname in names.DISPLAYS:
            return self._made_display(instance)
        if instance.type.fullname in SEQUENCES and len(instance.args) == 1:
            with self.expecting(kinds_of_parts(self.kinds)):
                item = self.of_type(instance.args[0])
            return None if item is None else Many(SEQUENCES[instance.type.fullname], item)
        if instance.type.fullname in SCALAR_CLASSES:
            return Scalar(SCALAR_CLASSES[instance.type.fullname])
        if instance.type.fullname in ("builtins.ellipsis", "types.EllipsisType"):
            return Dots()
        if instance.type.fullname in names.DTYPE_OBJECTS:
            return self._dtype_object(instance)
        if self._expects_anything:
            return None  # a function of the program may do with NumPy's arrays what JAX does not
        return self._if_known(read_numpy(instance, self.symbols, self.x64))

    @property
    def _expects_anything(self) -> bool:
        return self.kinds is not None and ANY in self.kinds

    def _made_display(self, instance: Instance) -> Value | None:
        """A dict or list that was written out before."""
        record, places = record_of(instance), places_of(instance)
        items = known(
            [self.of_type(item) for item in (record.values() if record is not None else places or ())]
        )
        if items is None or (record is not None and not is_whole(instance)):
            return None
        if record is None:
            return List(tuple(items)) if places is not None else None
        return Dict(tuple((Static(key), item) for key, item in zip(record, items, strict=True)))

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
        dtype = dtype_of_info(info)
        if dtype is not None and dtype not in WEAK:
            return DType(dtype)
        if info.fullname in SCALAR_CLASSES:
            return Builtin(info.name)
        return self._numpy_dtype(info.fullname)

    def _dtype_object(self, instance: Instance) -> Value | None:
        """The type of ``x.dtype``: an array's own dtype object, or NumPy's."""
        if not instance.args:
            return None if self.kinds is None else Anything(("dtype",))
        node = read_dtype_class(instance.args[0])
        name = split_weak(node, self.x64)[0] or read_numpy_dtype(instance.args[0])
        if name is None:
            return None if self.kinds is None else Anything(("dtype",))
        return DType(name)

    def _dtype_call(self, expr: CallExpr) -> Value | None:
        """``jnp.dtype(d)``, which says as much as `d`; NumPy's stub does not know JAX's dtypes."""
        if not isinstance(expr.callee, RefExpr) or expr.callee.fullname != names.NUMPY_DTYPE:
            return None
        value = self.item(expr.args[0]) if len(expr.args) == 1 else None
        return value if isinstance(value, (DType, Builtin, Static)) and value != NONE else None

    def _numpy_dtype(self, fullname: str) -> Value | None:
        module, _, name = fullname.rpartition(".")
        dtype = CLASS_NAMES.get("bool_" if name == "bool" else name)
        return DType(dtype) if module == "numpy" and dtype else None

    def _reference(self, expr: RefExpr) -> Value | None:
        """A name that means more than its type: a dtype class, a function or constant of jax, ``x.dtype``."""
        if isinstance(expr.node, TypeInfo):
            return self._dtype_of(expr.node)
        if isinstance(expr, MemberExpr) and expr.name in ("dtype", "shape", "ndim", "size"):
            return self._attribute(expr)
        if isinstance(expr, MemberExpr) and expr.name in names.OF_FINFO:
            return self._limit(expr.expr)
        if isinstance(expr, (NameExpr, MemberExpr)):
            if expr.fullname in names.CONSTANTS:
                return Static(names.CONSTANTS[expr.fullname])
            dtype = self._numpy_dtype(expr.fullname)
            if dtype is not None:
                return dtype
            path = names.public_path(expr.fullname)
            # Enums and named tuples have values of their own.
            if path is not None and not (isinstance(expr.node, Var) and self._is_unset(expr.node)):
                return Named(path)
            return self.own(expr)
        return None

    def own(self, expr: RefExpr) -> Own | None:
        """The function of the program that a name stands for, if its calls are evaluated."""
        return own_function(expr, self.facts.modules) if self.facts.programs else None

    def _limit(self, described: Expression) -> Value | None:
        """``jnp.finfo(x.dtype).min``: a scalar of the dtype, for which NumPy has no class if it is bfloat16."""
        if not isinstance(described, CallExpr) or not isinstance(described.callee, RefExpr):
            return None
        is_finfo = described.callee.fullname in names.FINFO and len(described.args) == 1
        dtype = self.item(described.args[0]) if is_finfo else None
        return Array(dtype.name, False, ()) if isinstance(dtype, DType) else None

    @staticmethod
    def _is_unset(variable: Var) -> bool:
        """Whether a variable of JAX has no type that says what it is."""
        return isinstance(get_proper_type(variable.type), AnyType | None)

    def _attribute(self, expr: MemberExpr) -> Value | None:
        array = self.array_of(self.api.get_expression_type(expr.expr))
        if array is None:
            return None
        if expr.name == "dtype" and array.dtype is not None:
            return DType(array.dtype)
        if expr.name == "shape" and array.dims is not None:
            items = known([self.size(dim) for dim in array.dims])
            return None if items is None else Tuple(tuple(items))
        return self.of_type(self.api.get_expression_type(expr), made=True) if expr.name in SIZES else None

    @staticmethod
    def size(dim: Dim) -> Value | None:
        """A size as a Python int; None if it is not known."""
        if dim is None:
            return None
        return Static(dim) if isinstance(dim, int) else Size(dim)

    def item(self, expr: Expression) -> Value | None:
        """The value of an expression that is a part of an argument."""
        if isinstance(expr, (IntExpr, StrExpr)):  # mypy need not infer what is written there
            return Static(expr.value)
        return self.argument(expr, self.api.get_expression_type(expr))

    def _display(self, expr: TupleExpr | ListExpr) -> Value | None:
        items: list[Value | None] = []
        for item in expr.items:
            with self.expecting(kinds_of_parts(self.kinds)):
                value = self.item(item.expr if isinstance(item, StarExpr) else item)
            if isinstance(item, StarExpr):
                items += value.items if isinstance(value, Items) else [None]
            else:
                items.append(value)
        certain = known(items)
        if certain is None and self.kinds and "ints" in self.kinds:
            return Anything(("ints",))
        kind = Tuple if isinstance(expr, TupleExpr) else List
        return None if certain is None else kind(tuple(certain))

    def _dict(self, expr: DictExpr) -> Value | None:
        pairs = [
            None if key is None else known([self.item(key), self.item(item)]) for key, item in expr.items
        ]
        return None if None in pairs else Dict(tuple((pair[0], pair[1]) for pair in pairs if pair))

    def _slice(self, expr: SliceExpr) -> Value | None:
        parts = (expr.begin_index, expr.end_index, expr.stride)
        values = known([NONE if part is None else self.item(part) for part in parts])
        return None if values is None else Slice(*values)

    def _negative(self, expr: UnaryExpr, typ: Type) -> Value | None:
        value = self.item(expr.expr)
        if isinstance(value, Static) and type(value.value) in (int, float):
            return Static(-value.value)  # type: ignore[operator]  # an int or a float
        if isinstance(value, Complex):
            return Complex(-value.real, -value.imag)
        return self.of_type(typ)


def _calls_generic(expr: CallExpr) -> bool:
    """Whether a user's function with type variables is called: mypy solves them from the context too."""
    node = expr.callee.node if isinstance(expr.callee, RefExpr) else None
    node = node.var if isinstance(node, Decorator) else node
    declared = get_proper_type(node.type) if isinstance(node, (FuncBase, Var)) and node.type else None
    return isinstance(declared, CallableType) and bool(declared.variables)
