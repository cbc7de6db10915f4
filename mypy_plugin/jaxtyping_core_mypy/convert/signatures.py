"""The types of functions, as JAX's transformations take and return them."""

from __future__ import annotations

from collections.abc import Iterator

from mypy.erasetype import erase_typevars
from mypy.nodes import ARG_OPT, ARG_POS
from mypy.subtypes import find_member
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    LiteralType,
    NoneType,
    TupleType,
    Type,
    TypeAliasType,
    TypeOfAny,
    TypeTranslator,
    UnionType,
    get_proper_type,
)

from jaxtyping_core.dtypes import WEAK
from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert.abstract import is_array, read_dtype_class
from jaxtyping_core_mypy.convert.typed import SCALAR_CLASSES
from jaxtyping_core_mypy.convert.widening import PARTIAL_SIGNATURE, widen

Signature = CallableType
UNKNOWN = AnyType(TypeOfAny.special_form)
#: Where an object that can be called has its signature in its type arguments.
WITH_SIGNATURE = ("functools.", "jax.")


def functions_in(types: list[Type]) -> Iterator[Type]:
    """The functions that are given for a parameter, also in a tuple or a list."""
    for typ in map(get_proper_type, types):
        if isinstance(typ, TupleType):
            yield from typ.items
        elif isinstance(typ, Instance) and typ.args:
            yield from typ.args
        else:
            yield typ


def signature(function: Type) -> CallableType | None:
    """The signature of a function or an object that can be called, with Any for its type variables.

    None where it has overloads.
    """
    proper: Type | None = get_proper_type(function)
    if isinstance(proper, Instance):
        proper = get_proper_type(find_member("__call__", proper, proper, is_operator=True))
    if not isinstance(proper, CallableType) or not proper.variables:
        return proper if isinstance(proper, CallableType) else None
    erased = erase_typevars(proper, {variable.id for variable in proper.variables})
    return erased.copy_modified(variables=[]) if isinstance(erased, CallableType) else None


def generic(function: Type) -> CallableType | None:
    """The signature of a function with type variables; None for every other one."""
    proper = get_proper_type(function)
    return proper if isinstance(proper, CallableType) and proper.variables else None


def returned(function: Type) -> Type | None:
    """What a function returns, as far as that does not depend on the call."""
    called = signature(function)
    return None if called is None else called.ret_type


class _Traced(TypeTranslator):
    """What Python and NumPy values become arrays of is left open, and so is what a weak type becomes in a loop."""

    def visit_instance(self, t: Instance) -> Type:
        name = t.type.fullname
        if name in SCALAR_CLASSES or name.startswith("numpy."):
            return UNKNOWN
        if name == names.ARRAY and len(t.args) == 2 and read_dtype_class(t.args[0]) in WEAK:
            return t.copy_modified(args=[UNKNOWN, t.args[1]])
        return super().visit_instance(t)

    def visit_literal_type(self, t: LiteralType, /) -> Type:
        return t  # the size of a dim: its fallback is no number that an array replaces

    def visit_type_alias_type(self, t: TypeAliasType) -> Type:
        return t if t.is_recursive else get_proper_type(t).accept(self)


def traced(typ: Type) -> Type:
    """What a value of the type `typ` is after JAX has traced a function that takes or returns it."""
    return typ.accept(_Traced())


def carried(results: list[Type], _: Type) -> Type:
    """What a loop gives whose body returns that."""
    return results[-1]


def stacked(results: list[Type], steps: Type) -> Type:
    """As many values as a loop has steps, along a new axis; `steps` is that size."""
    proper = get_proper_type(results[0])
    if isinstance(proper, Instance) and is_array(proper):
        shape = get_proper_type(proper.args[1]) if len(proper.args) == 2 else None
        if not isinstance(shape, TupleType):
            return widen(proper, keep_dtype=True)
        return proper.copy_modified(args=[proper.args[0], shape.copy_modified(items=[steps, *shape.items])])
    return proper if isinstance(proper, NoneType) else UNKNOWN


def scanned(results: list[Type], steps: Type) -> Type:
    """The carry, and what each step gives."""
    pair = pair_of(results[0])
    if pair is None:
        return UNKNOWN
    return pair.copy_modified(items=[pair.items[0], stacked(pair.items[1:], steps)])


def chosen(results: list[Type], _: Type) -> Type:
    """One of several results: of arrays that differ, an array."""
    first, *others = results
    if all(other == first for other in others):
        return first
    return widen(first) if all(map(is_array, results)) else UNKNOWN


class _Batched(TypeTranslator):
    """What takes or gives a Python or NumPy number takes anything, and gives an array."""

    def __init__(self, array: Type) -> None:
        super().__init__()
        self.array = array
        self.has_number = False

    def visit_callable_type(self, t: CallableType) -> Type:
        return t.copy_modified(
            arg_types=[self._taken(typ) for typ in t.arg_types], ret_type=t.ret_type.accept(self)
        )

    def _taken(self, typ: Type) -> Type:
        self.has_number = False
        typ.accept(self)
        return UNKNOWN if self.has_number else typ

    def visit_instance(self, t: Instance) -> Type:
        if t.type.fullname in SCALAR_CLASSES or t.type.fullname.startswith("numpy."):
            self.has_number = True
            return self.array
        return t if is_array(t) else super().visit_instance(t)

    def visit_literal_type(self, t: LiteralType, /) -> Type:
        return t.fallback.accept(self)

    def visit_type_alias_type(self, t: TypeAliasType) -> Type:
        return t if t.is_recursive else get_proper_type(t).accept(self)


def batched(function: Type, array: Type) -> Type:
    """The type of a batched function; of an object that can be called, the signature is left; of a union, of each member.

    `array` is the type of an array of which nothing is known.
    """
    proper = get_proper_type(function)
    if isinstance(proper, UnionType):
        return UnionType.make_union([batched(member, array) for member in proper.items])
    if isinstance(proper, CallableType):
        function = proper.accept(_Batched(array))
        proper = get_proper_type(function)
    elif isinstance(proper, Instance) and proper.type.module_name == names.TRANSFORMATIONS and proper.args:
        result = proper.args[-1].accept(_Batched(array))  # a number becomes an array here, too
        return widen(proper.copy_modified(args=[*proper.args[:-1], result]), keep_dtype=True)
    if isinstance(proper, Instance) and not proper.type.fullname.startswith(WITH_SIGNATURE):
        call = get_proper_type(find_member("__call__", proper, proper, is_operator=True))
        # What JAX returns has the attributes of the object, but a call of it is not a call of the object.
        precise = isinstance(call, FunctionLike) and widen(call, keep_dtype=True) != call
        unmade = Instance(proper.type, proper.args)
        return widen(call, keep_dtype=True) if call is not None and precise else unmade
    return widen(function, keep_dtype=True)


def decorator_of(typ: Type) -> str | None:
    """The full name of the function that a `functools.partial` is of, if mypy knows its signature."""
    attributes = typ.extra_attrs if isinstance(typ, Instance) else None
    partial = get_proper_type(attributes.attrs.get(PARTIAL_SIGNATURE)) if attributes else None
    if not isinstance(partial, CallableType) or partial.definition is None:
        return None
    return partial.definition.fullname


def gradient(function: CallableType, position: int) -> Type | None:
    """The gradient with respect to an argument; None where the argument may be a number, which arrays replace."""
    if position >= len(function.arg_types) or function.arg_kinds[position] not in (ARG_POS, ARG_OPT):
        return None
    typ = get_proper_type(function.arg_types[position])
    if is_array(typ):
        return typ
    known = isinstance(typ, (Instance, TupleType)) and traced(typ) == typ
    return typ if known else None


def pair_of(typ: Type) -> TupleType | None:
    """`typ`, if it is a tuple of two."""
    proper = get_proper_type(typ)
    return proper if isinstance(proper, TupleType) and len(proper.items) == 2 else None


def is_none(typ: Type) -> bool:
    """Whether `typ` is that of None."""
    return isinstance(get_proper_type(typ), NoneType)
