"""Reads mypy's types as values of the evaluation protocol."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from mypy.nodes import (
    TypeInfo,
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
    TypeType,
    TypeVarType,
    UnionType,
    get_proper_type,
)

from jaxtyping_core.domain.dims import Dim
from jaxtyping_core.domain.values import (
    NONE,
    Anything,
    Array,
    Builtin,
    Dots,
    DType,
    Either,
    Scalar,
    Size,
    Static,
    Tuple,
    Value,
)
from jaxtyping_core.dtypes import PYTHON_SCALARS, WEAK
from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert.abstract import (
    CLASS_NAMES,
    Symbols,
    class_itself,
    dtype_of_info,
    is_array,
    read_array,
    read_dtype_class,
    split_weak,
)
from jaxtyping_core_mypy.convert.numpy import read_numpy, read_numpy_dtype
from jaxtyping_core_mypy.convert.unknown_kinds import Kinds, kinds_of_parts

if TYPE_CHECKING:
    from jaxtyping_core_mypy.facts import ModuleFacts

#: Types within types further down than this are not read: the alias of a type may name itself.
DEEPEST = 20
#: The classes of Python scalars, by their full names.
SCALAR_CLASSES = {f"builtins.{kind.__name__}": kind.__name__ for kind in PYTHON_SCALARS}


def known(values: Iterable[Value | None]) -> list[Value] | None:
    """`values`, if each is known; none is looked at after one that is not."""
    certain = list[Value]()
    for value in values:
        if value is None:
            return None
        certain.append(value)
    return certain


class TypeReader:
    """Reads the types of one call's arguments as values; None where one is not known."""

    def __init__(self, api: CheckerPluginInterface, x64: bool, facts: ModuleFacts, line: int) -> None:
        self.api = api
        self.x64 = x64
        self.facts = facts
        self.symbols = Symbols(facts.equal_dims, line)
        #: What the argument at hand may be if nothing is known of it; None where arrays are of no use either of which
        #: nothing is known.
        self.kinds: Kinds | None = None
        self._depth = 0

    @contextlib.contextmanager
    def expecting(self, kinds: Kinds | None) -> Iterator[None]:
        """Read what nothing is known of as anything of these kinds."""
        outer, self.kinds = self.kinds, kinds
        try:
            yield
        finally:
            self.kinds = outer

    def of_type(self, typ: Type) -> Value | None:
        """The value of an expression of which only the type is known."""
        if self._depth == DEEPEST:
            return None
        self._depth += 1
        try:
            return self._of_proper(get_proper_type(typ))
        finally:
            self._depth -= 1

    def _of_proper(self, proper: ProperType) -> Value | None:
        if isinstance(proper, AnyType):
            return Anything(self.kinds) if self.kinds else None
        if isinstance(proper, NoneType):
            return NONE
        if isinstance(proper, LiteralType):
            return self._literal(proper)
        if isinstance(proper, TupleType):
            return self._tuple(proper)
        if isinstance(proper, UnionType):
            return self._union(proper)
        if isinstance(proper, (CallableType, Overloaded, TypeType)):
            return self._class(proper)
        if isinstance(proper, TypeVarType):
            return self._number(proper)
        if isinstance(proper, Instance) and not is_array(proper):
            return self._instance(proper)
        return self._if_known(self.array_of(proper))

    def _number(self, variable: TypeVarType) -> Value | None:
        """A number, where a type variable is bound to its class: ``n: N`` beside ``Float32[N]``; its value may be any."""
        bound = get_proper_type(variable.upper_bound)
        is_number = (
            isinstance(bound, Instance) and bound.type.fullname in SCALAR_CLASSES and not variable.values
        )
        return self.of_type(bound) if is_number else None

    def _if_known(self, array: Array | None) -> Array | None:
        """`array`, unless nothing is known of it, and that is of no use."""
        if array is None or self.kinds is not None:
            return array
        return None if array.dtype is None and array.shape is None else array

    def array_of(self, typ: Type) -> Array | None:
        """What is known of an array of JAX; None if `typ` is none."""
        return read_array(typ, self.symbols, self.x64)

    def operand_of(self, typ: Type) -> Array | None:
        """What is known of an array, JAX's or NumPy's; None if `typ` is neither."""
        return self.array_of(typ) or read_numpy(typ, self.symbols, self.x64)

    def _tuple(self, typ: TupleType) -> Value | None:
        with self.expecting(kinds_of_parts(self.kinds)):
            items = known(map(self.of_type, typ.items))
        # A named tuple is no tuple to `jax.tree.map`, and only the program can make one of its own.
        is_plain = typ.partial_fallback.type.fullname == "builtins.tuple"
        return Tuple(tuple(items)) if items is not None and is_plain else None

    def _union(self, union: UnionType) -> Value | None:
        """One of several values; what arrays have in common where one of them is not known."""
        values = known(self.of_type(item) for item in union.items)
        if values is None:
            return self._if_known(self.array_of(union))
        distinct = [value for i, value in enumerate(values) if value not in values[:i]]
        return distinct[0] if len(distinct) == 1 else Either(tuple(distinct))

    def _literal(self, literal: LiteralType) -> Value | None:
        is_plain = not literal.fallback.type.is_enum
        return Static(literal.value) if is_plain and isinstance(literal.value, (int, str)) else None

    def _instance(self, instance: Instance) -> Value | None:
        if instance.last_known_value is not None:
            return self._literal(instance.last_known_value)
        if instance.type.fullname in SCALAR_CLASSES:
            return Scalar(SCALAR_CLASSES[instance.type.fullname])
        if instance.type.fullname in ("builtins.ellipsis", "types.EllipsisType"):
            return Dots()
        if instance.type.fullname in names.DTYPE_OBJECTS:
            return self._dtype_object(instance)
        return self._if_known(read_numpy(instance, self.symbols, self.x64))

    def _class(self, typ: CallableType | Overloaded | TypeType) -> Value | None:
        """A class used as a dtype."""
        info = class_itself(typ)
        return None if info is None else self._dtype_of(info)

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

    def _numpy_dtype(self, fullname: str) -> Value | None:
        module, _, name = fullname.rpartition(".")
        dtype = CLASS_NAMES.get("bool_" if name == "bool" else name)
        return DType(dtype) if module == "numpy" and dtype else None

    @staticmethod
    def size(dim: Dim) -> Value | None:
        """A size as a Python int; None if it is not known."""
        if dim is None:
            return None
        return Static(dim) if isinstance(dim, int) else Size(dim)
