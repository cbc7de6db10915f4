"""The types of functions, as JAX's transformations take and return them."""

from __future__ import annotations

from mypy.subtypes import find_member
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    LiteralType,
    NoneType,
    Type,
    TypeAliasType,
    TypeOfAny,
    TypeTranslator,
    UnionType,
    get_proper_type,
)

from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert.abstract import is_array
from jaxtyping_core_mypy.convert.own import has_any
from jaxtyping_core_mypy.convert.typed import SCALAR_CLASSES
from jaxtyping_core_mypy.convert.widening import PARTIAL_SIGNATURE, widen

Signature = CallableType
UNKNOWN = AnyType(TypeOfAny.special_form)
#: Where an object that can be called has its signature in its type arguments.
WITH_SIGNATURE = ("functools.", "jax.")


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


def is_none(typ: Type) -> bool:
    """Whether `typ` is that of None."""
    return isinstance(get_proper_type(typ), NoneType)


def returned(function: Type) -> Type:
    """What a function returns whatever it is called with; anything if that is not known."""
    proper = get_proper_type(function)
    if not isinstance(proper, CallableType) or proper.variables or has_any(proper.ret_type):
        return UNKNOWN
    return proper.ret_type
